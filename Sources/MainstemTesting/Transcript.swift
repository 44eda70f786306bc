// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Mainstem

/// What has passed, in order, and how much of it was expected.
final class Transcript {
  /// The first entry has position 1.
  private(set) var entries: [TestEntry] = []
  private var expected = 0
  /// Whether what view models send of their own need not be expected.
  var skipsOwners = false
  /// Whether what the navigator and its stage send need not be expected.
  var skipsNavigation = false

  /// The number of links shown before a chain's end.
  private static let links = 12

  func append(_ entry: TestEntry) { entries.append(entry) }

  func next() -> TestEntry? {
    while expected < entries.count {
      defer { expected += 1 }
      if counts(entries[expected]) { return entries[expected] }
    }
    return nil
  }

  func rest() -> [TestEntry] {
    defer { expected = entries.count }
    return entries[expected...].filter(counts)
  }

  private func counts(_ entry: TestEntry) -> Bool {
    !(skipsOwners && isOwners(entry)) && !(skipsNavigation && entry.isNavigation)
  }

  /// Whether it is an owner's, or the library's answer to such a command: it was cancelled.
  private func isOwners(_ entry: TestEntry) -> Bool {
    if entry.isOwners || entry.failure == nil { return entry.isOwners }
    return entry.answers > 0 && entries[Int(entry.answers) - 1].isOwners
  }

  /// The tracked requests that have no answer.
  func openRequests() -> [TestEntry] {
    let answered = Set(entries.lazy.filter { !$0.isProgress }.map(\.answers))
    return entries.filter { $0.isTracked && !answered.contains($0.position) }
  }

  /// An event as a line, with the events that led to it below.
  func told(_ entry: TestEntry) -> String {
    var links = chain(of: entry)
    if links.count > Self.links + 1 {
      links.replaceSubrange(Self.links..<links.count - 1, with: ["…"])
    }
    return ([entry.line] + links).joined(separator: "\n      ")
  }

  private func chain(of entry: TestEntry) -> [String] {
    var links: [String] = []
    var cause = entry.cause
    while cause > 0, cause <= entries.count {
      let before = entries[Int(cause) - 1]
      links.append("caused by \(before.line)")
      cause = before.cause
    }
    return links
  }
}

/// An event in the transcript.
struct TestEntry {
  let position: UInt64
  let cause: UInt64
  let answers: UInt64
  let isTracked: Bool
  let isProgress: Bool
  let name: String
  /// Whether it is a value, a pulse or a command of the scope that it was sent through.
  let isOwners: Bool
  /// Whether the navigator, its stage or a guard has sent it, or asks for it.
  var isNavigation: Bool {
    TestEntry.navigation.contains { name.hasPrefix($0) }
  }
  let payload: [UInt8]
  let failure: Failure?
  let line: String

  private static let navigation = [
    "MainstemMove", "MainstemResult", "MainstemOpened", "MainstemShow", "MainstemHid",
    "MainstemTree", "MainstemReady", "MainstemGone", "MainstemFinish", "MainstemLink",
    "MainstemEnded", "RequestOpen.", "ResponseOpen.", "RequestGuard.", "ResponseGuard.",
  ]

  init(_ delivery: borrowing Delivery) {
    position = delivery.position
    cause = delivery.cause
    answers = delivery.answers
    isTracked = delivery.isTracked
    isProgress = delivery.isProgress
    name = delivery.name
    isOwners = name.contains(".") && name.hasPrefix("\(delivery.origin).")
    payload = delivery.payload
    failure = delivery.failure
    line = delivery.line
  }
}
