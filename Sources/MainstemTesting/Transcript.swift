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

  /// Whether something else has happened than was expected: until something expected comes, no more is told.
  private var isLost = false

  func append(_ entry: TestEntry) { entries.append(entry) }

  /// What a test finds that looks for an event.
  enum Found {
    /// The event, which is the next one.
    case next(TestEntry)
    /// The event, after others.
    case later(TestEntry, after: [TestEntry])
    /// Another one; nil: nothing more.
    case other(TestEntry?)
    /// Not it, which follows from something that has been told before.
    case lost
  }

  /// Looks for an event. What need not be expected is skipped, unless it is that event.
  ///
  /// - Parameters:
  ///   - name: The name of its type; nil: any.
  ///   - matches: Whether an event is the expected one.
  func find(_ name: String?, _ matches: (TestEntry) -> Bool) -> Found {
    let left = entries.indices[expected...]
    let counted = left.filter { counts(entries[$0]) }
    let other = counted.first.map { entries[$0] }
    let found = left.first { matches(entries[$0]) }
    // One of that type is the one that was meant, unless that comes next.
    if let other, other.name == name, found.map({ counted.dropFirst(2).contains($0) }) ?? true {
      defer { (expected, isLost) = (counted[0] + 1, false) }
      return isLost ? .lost : .other(other)
    }
    guard let found else {
      defer { isLost = true }
      return isLost ? .lost : .other(other)
    }
    defer { (expected, isLost) = (found + 1, false) }
    let before = entries[expected..<found].filter(counts)
    return before.isEmpty || isLost ? .next(entries[found]) : .later(entries[found], after: before)
  }

  /// What has not been expected, which is forgotten; nothing if it follows from something that has been told before.
  func rest() -> [TestEntry] {
    defer { (expected, isLost) = (entries.count, false) }
    return isLost ? [] : entries[expected...].filter(counts)
  }

  private func counts(_ entry: TestEntry) -> Bool {
    !(skipsOwners && (isOwners(entry) || entry.isAlarm))
      && !(skipsNavigation && entry.isNavigation)
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
  /// Whether it wakes a signal, as that of a reactor's action that waits.
  var isAlarm: Bool { name == SignalAlarm.name }
  let payload: [UInt8]
  /// If it is the event of a list.
  let rows: CopiedRows?
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
    rows = delivery.copiedRows
    failure = delivery.failure
    line = delivery.line
  }
}
