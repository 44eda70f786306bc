// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Tick: Notice { var number: Int }
private struct Moved: Notice {
  static let record = RecordMode.mark
  var x: Int
}
private struct Passed: Notice { static let record = RecordMode.none }
private struct Password: Notice, TextEvent {
  static let isSecret = true
  var text: String
}
private struct ResponseHalf: Response { var number: Int }
private struct RequestHalf: Request {
  typealias Answer = ResponseHalf
  var number: Int
}
private struct Halver: Server {
  static let name = "Halver"

  static func handlers(_ on: inout Handlers<Halver>) {
    on.answer(RequestHalf.self) { _, request in
      guard request.number.isMultiple(of: 2) else { throw Failure("ODD", userMessage: "Not even.") }
      return ResponseHalf(number: request.number / 2)
    }
  }
}

@Suite("Journal") struct JournalTests {
  private let folder = Folder()

  private func status(_ call: () throws -> Void) -> Status {
    do { try call() } catch { return (error as? StreamError)?.status ?? .incomplete }
    return .ok
  }

  /// A journal of as many ticks.
  private func ticks(_ count: Int) throws -> String {
    let path = folder.file("ticks")
    let context = try Context()
    try context.record(to: path)
    for number in 1...count { try context.send(Tick(number: number)) }
    try context.close()
    return path
  }

  private func events(_ journal: Journal) throws -> [JournalEvent] {
    var events: [JournalEvent] = []
    while let event = try journal.next() { events.append(event) }
    return events
  }

  @Test func `what was recorded is read, with all its names`() throws {
    let path = folder.file("journal")
    let context = try Context()
    try context.install(Halver())
    try context.record(to: path)
    var lines: [String] = []
    let watching = try context.observe { lines.append($0.line) }
    _ = context.request(RequestHalf(number: 6))
    _ = context.request(RequestHalf(number: 7))
    watching.cancel()
    try context.close()

    let journal = try Journal(path)
    let events = try events(journal)
    let info = try journal.info()

    #expect(events.map(\.line) == lines)
    #expect(events.map(\.position) == [1, 2, 3, 4])
    #expect(events.map(\.name) == ["RequestHalf", "ResponseHalf", "RequestHalf", "ResponseHalf"])
    #expect(events.map(\.origin) == ["", "Halver", "", "Halver"])
    #expect(events.map(\.cause) == [0, 1, 0, 3])
    #expect(events.map(\.answers) == [0, 1, 0, 3])
    #expect(events.map(\.correlation) == [1, 1, 3, 3])
    #expect(events.map(\.isTracked) == [true, false, true, false])
    #expect(events.map(\.isOutside) == [true, false, true, false])
    #expect(events.allSatisfy { $0.time > 0 })
    #expect(try events[0].decode(RequestHalf.self) == RequestHalf(number: 6))
    #expect(try events[1].decode(ResponseHalf.self) == ResponseHalf(number: 3))
    #expect(events[3].failure == Failure("ODD", userMessage: "Not even."))
    #expect(throws: Failure("ODD", userMessage: "Not even.")) {
      try events[3].decode(ResponseHalf.self)
    }
    #expect(throws: Failure("#1 is no Tick", code: .invalid)) { try events[0].decode(Tick.self) }
    #expect(info.isRead && info.isClean)
    #expect((info.first, info.last, info.events, info.sessions) == (1, 4, 4, 1))
    #expect(info.id.count == 16)
    #expect(info.bytes == UInt64(Folder.bytes(of: path).count))
    #expect(info.digestPosition == 4)
  }

  @Test func `a type says how much of it is kept, and a secret leaves its mark only`() throws {
    let path = folder.file("journal")
    let context = try Context()
    try context.record(to: path)
    try context.send(Moved(x: 3))
    try context.send(Passed())
    try context.send(Password(text: "correct-horse-7-battery"))
    try context.close()

    let journal = try Journal(path)
    let events = try events(journal)

    #expect(events.map(\.position) == [1, 3])
    #expect(events.map(\.isMarked) == [true, false])
    #expect(events.map(\.isWithheld) == [false, true])
    #expect(events.allSatisfy { $0.payload.isEmpty })
    #expect(String(describing: events[0]) == "#1 Moved <marked>")
    #expect(String(describing: events[1]) == "#3 Password <secret>")
    for event in events {
      let failure = #expect(throws: Failure.self) { try event.decode(Moved.self) }
      #expect(failure?.code == .withheld)
    }
    let text = String(decoding: Folder.bytes(of: path), as: UTF8.self)
    #expect(!text.contains("horse"))
  }

  @Test func `a torn tail is dropped and counted, and the journal goes on`() throws {
    let path = try ticks(3)
    let bytes = Folder.bytes(of: path)
    // The record of the end, 80 bytes, and the last bytes of the third tick.
    Folder.write(bytes.dropLast(88), to: path)

    let journal = try Journal(path)
    #expect(try events(journal).map(\.position) == [1, 2])
    let info = try journal.info()
    #expect(info.isRead && !info.isClean)
    #expect(info.tornBytes > 0)
    #expect(info.damagedFile == 0)

    let context = try Context()
    try context.record(to: path)
    try context.send(Tick(number: 4))
    #expect(try context.journalStats().torn == info.tornBytes)
    #expect(try context.journalStats().written == 3)
  }

  @Test func `damage is said with its place, and salvaging gets the rest`() throws {
    let path = try ticks(5)
    var bytes = Folder.bytes(of: path)
    let third = try #require(
      bytes.indices.first { bytes[$0...].starts(with: #"{"number":3}"#.utf8) })
    bytes[third] ^= 1
    Folder.write(bytes, to: path)

    let journal = try Journal(path)
    #expect(try [journal.next()?.position, journal.next()?.position] == [1, 2])
    for _ in 1...2 { #expect(status { _ = try journal.next() } == .corrupt) }
    let info = try journal.info()
    #expect(info.damagedFile == 1)
    #expect(info.damagedAt == UInt64(third - 64))
    #expect(status { try Context().record(to: path) } == .corrupt)

    let report = try Journal.salvage(from: path, to: folder.file("salvaged"))
    #expect((report.events, report.first, report.last) == (4, 1, 5))
    #expect(report.lostPositions == 1)
    #expect(report.lost == [3...3])
    #expect(report.lostBytes > 0)
    let salvaged = try Journal(folder.file("salvaged"))
    #expect(try events(salvaged).map(\.position) == [1, 2, 4, 5])
    #expect(Folder.bytes(of: path) == bytes)
  }

  @Test func `what is no journal is refused`() throws {
    let path = folder.file("text")
    Folder.write("This is no journal.".utf8, to: path)

    #expect(status { _ = try Journal(folder.file("nowhere")) } == .io)
    #expect(status { _ = try Journal(path) } == .corrupt)
    #expect(status { _ = try Journal("") } == .invalid)
    let to = folder.file("salvaged")
    #expect(status { _ = try Journal.salvage(from: path, to: to) } == .corrupt)
    #expect(Folder.bytes(of: to).isEmpty)
    #expect(status { _ = try Journal.salvage(from: try ticks(1), to: path) } == .invalid)
  }

  @Test func `a journal that is closed gives nothing more, and its events stay`() throws {
    let journal = try Journal(try ticks(2))
    let event = try journal.next()
    journal.close()
    journal.close()

    #expect(status { _ = try journal.next() } == .stale)
    #expect(status { _ = try journal.info() } == .stale)
    #expect(try event?.decode(Tick.self) == Tick(number: 1))
    #expect(event?.line == #"#1 Tick {"number":1}"#)
  }

  @Test func `a reader goes on behind the one that writes`() throws {
    let path = folder.file("live")
    let context = try Context()
    try context.record(to: path)
    try context.send(Tick(number: 1))
    let journal = try Journal(path)
    #expect(try events(journal).map(\.position) == [1])
    for number in 2...3 {
      try context.send(Tick(number: number))
      #expect(try events(journal).isEmpty)
      try journal.follow()
      #expect(try events(journal).map(\.position) == [UInt64(number)])
    }
    journal.close()
    #expect(status { try journal.follow() } == .stale)
    try context.close()
  }

  @Test func `each session's events have the names of its own types`() throws {
    let path = folder.file("sessions")
    for isFirst in [true, false, true] {
      let context = try Context()
      try context.record(to: path)
      if isFirst { try context.send(Tick(number: 1)) }
      _ = context.request(RequestHalf(number: 2))
      if !isFirst { try context.send(Tick(number: 1)) }
      try context.close()
    }
    let half = ["RequestHalf", "ResponseHalf"]
    let names = try events(try Journal(path)).map(\.name)
    #expect(names == ["Tick"] + half + half + ["Tick", "Tick"] + half)
  }

  @Test func `a large event is read, between small ones`() throws {
    struct Long: Notice, TextEvent { var text: String }
    let path = folder.file("large")
    let sizes = [1, 300_000, 2, 2_000_000, 3]
    let context = try Context()
    try context.record(to: path)
    for size in sizes { try context.send(Long(text: String(repeating: "a", count: size))) }
    try context.close()
    #expect(try events(try Journal(path)).map(\.payload.count) == sizes)
  }

  @Test func `what left its mark only is no event to decode`() throws {
    let path = folder.file("marks")
    let context = try Context()
    try context.record(to: path)
    try context.send(Moved(x: 1))
    try context.send(Tick(number: 1))
    try context.close()
    let found = try events(try Journal(path))
    #expect(found.map { $0.isEvent(Moved.self) } == [false, false])
    #expect(found.map { $0.isEvent(Tick.self) } == [false, true])
    #expect(throws: Failure.self) { try found[0].decode(Moved.self) }
  }
}
