// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// Steps about a session: what is recorded and replayed, and what a callback reads of time and chance.
extension ScenarioStage {
  func runInSession(_ words: Words) throws -> String {
    switch words[0] {
    case "open": try open()
    case "now": return "\(try context.now() / 1_000_000)"
    case "random": return "\(try context.random())"
    case "id": return try context.id()
    case "count": return try count(words[1])
    case "record":
      try context.record(to: path, options: JournalOptions(durability: level(words[1])))
    case "recorded": return "\(lastRecorded)"
    case "sync": try context.syncJournal()
    case "replay": replay = try context.replay(path)
    case "verify": replay = try context.replay(path, mode: .verify)
    case "feed": try feed(Int(words[1]))
    case "difference": return try difference()
    default: Issue.record("no step begins with \(words[0])")
    }
    return "OK"
  }

  private func level(_ name: String) -> Durability {
    name == "power" ? .power : name == "buffered" ? .buffered : .process
  }

  /// The last position in the file, for whoever opens it now.
  private var lastRecorded: UInt64 {
    guard let journal = try? Journal(path) else { return 0 }
    var last: UInt64 = 0
    while let event = try? journal.next() { last = event.position }
    return last
  }

  private func feed(_ count: Int?) throws {
    let replay = try #require(replay)
    if let count { try replay.step(count) } else { try replay.toEnd() }
  }

  /// The first difference: its position, and what differs.
  private func difference() throws -> String {
    guard let found = try #require(replay).difference() else { return "none" }
    return "\(found.position) \(found.field)"
  }

  private func count(_ what: String) throws -> String {
    if what == "durable" { return "\(try context.journalStats().durable)" }
    let stats = try context.stats()
    let counted = [
      "events": stats.events, "requests": stats.requests, "failures": stats.failures,
      "waiting": stats.waiting, "rejected": stats.rejected, "subscriptions": stats.subscriptions,
      "history": stats.history,
    ]
    return "\(try #require(counted[what]))"
  }
}
