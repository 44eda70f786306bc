// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemNATS
import Testing

/// A tick of elsewhere.
private struct FarTick: Notice {
  static let name = "Far.tick"
  var number: Int
}
/// A tick that has other payloads here.
private struct FarText: TextEvent, Notice {
  static let name = "Far.text"
  var text: String
}

@Suite("Import", .enabled(if: Given.server != nil))
struct ImportTests {
  private let server = Given.server ?? NATSConnection()

  /// A stream with so many ticks, and a click after each hundredth.
  private func fill(_ stream: String, _ count: Int) throws -> [UInt8] {
    let path = Given.file(stream)
    try record(count, to: path)
    let mirror = try Journal.mirror(path, to: server)
    try mirror.flush(timeout: .seconds(60))
    return try Journal.fetch(Given.file("\(stream)-copy"), from: server, prefix: stream).id
  }

  @Test func `each event comes once, in order, also to a context that begins again`() throws {
    _ = try fill("taken", 5000)
    let own = Given.file("taken-own")
    var seen: [Int] = []
    var repeated: UInt64 = 0
    for _ in 1...2 {
      let context = try Context()
      try context.record(to: own)
      let watching = try context.observe(FarTick.self) { tick, _ in seen.append(tick.number) }
      let moves = try context.importStream(
        "taken", ["Tick": FarTick.self], from: server, journal: own, scope: "far")
      try moves.flush(timeout: .seconds(60))
      repeated += try moves.stats().repeated
      try moves.close()
      watching.cancel()
      try context.close()
    }

    #expect(seen == Array(1...5000))
    #expect(repeated == 0)
    let journal = try Journal(own)
    var origins: Set<String> = []
    while let event = try journal.next() { origins.insert(event.origin) }
    #expect(origins == ["far"])
  }

  @Test func `types keep their names, and one journal may be chosen`() throws {
    let id = try fill("named", 200)
    let context = try Context()
    var seen: [String] = []
    let watching = try context.observe(Clicked.self) { click, _ in seen.append(click.button) }

    let both = try context.importStream(
      "named", [Tick.self, Clicked.self], from: server, durable: "both", source: id)
    try both.flush(timeout: .seconds(60))
    let none = try context.importStream(
      "named", [Tick.self, Clicked.self], from: server, durable: "none", source: id.reversed(),
      scope: "other", window: 7)
    try none.flush(timeout: .seconds(60))

    #expect(seen == ["100", "200"])
    #expect(try both.stats().entries == 202)
    #expect(try none.stats().entries == 0)
    watching.cancel()
  }

  @Test func `what may not or cannot be sent is refused`() throws {
    _ = try fill("rights", 100)
    let context = try Context()
    let limited = try context.importStream(
      "rights", [Tick.self, Clicked.self], from: server, durable: "limited",
      rights: Rights(sends: [.view]))
    try limited.flush(timeout: .seconds(60))
    #expect(try limited.stats().entries == 1)
    #expect(try limited.stats().refused == 100)
    #expect(try limited.stats().message.contains("scope import.rights may not send Tick") == true)

    let strange = try context.importStream(
      "rights", ["Tick": FarText.self], from: server, durable: "strange", scope: "strange")
    try strange.flush(timeout: .seconds(60))
    #expect(try strange.stats().refused == 100)
  }

  @Test @MainActor func `in a context of an actor the events come to the actor`() async throws {
    _ = try fill("actor", 3000)
    let context = try Context(on: MainActor.shared)
    var seen: [Int] = []
    let watching = try context.observe(Tick.self) { tick, _ in
      MainActor.preconditionIsolated()
      seen.append(tick.number)
    }
    let ticks = try context.importStream("actor", [Tick.self], from: server, durable: "actor")

    try await ticks.flush(timeout: .seconds(60))

    #expect(seen == Array(1...3000))
    watching.cancel()
    try context.close()
  }

  @Test func `what is missing or too much is named`() throws {
    let context = try Context()
    let missing = refused { _ = try context.importStream("s", [Tick.self], from: server) }
    let many = refused {
      _ = try context.importStream("s", [Tick.self], from: server, journal: "j", durable: "d")
    }
    let none = refused { _ = try context.importStream("s", [:], from: server, durable: "d") }

    #expect(missing?.status == .invalid)
    #expect(missing?.message.contains("options.durable: is NULL") == true)
    #expect(many?.message.contains("options.journal: the context is not recorded") == true)
    #expect(none?.message == "mainstem_nats_import: options.types: are needed")
  }

  @Test func `an import is not closed inside a callback`() throws {
    _ = try fill("inside", 1)
    let context = try Context()
    var errors: [Status?] = []
    var ticks: Bridge?
    let watching = try context.observe(Tick.self) { _, _ in
      errors.append(refused { try ticks?.close() }?.status)
      errors.append(refused { try ticks?.flush() }?.status)
    }
    ticks = try context.importStream("inside", [Tick.self], from: server, durable: "inside")
    try ticks?.flush(timeout: .seconds(60))

    #expect(errors == [.busy, .busy])
    #expect(try ticks?.stats().entries == 1)
    try ticks?.close()
    watching.cancel()
  }
}
