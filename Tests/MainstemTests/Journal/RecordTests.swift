// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mainstem
import Testing

private struct Tick: Notice { var number: Int }

/// In a process of its own, whose environment nobody else reads.
private func recordWhereAsked() throws {
  let folder = Folder()
  setenv("MAINSTEM_RECORD", folder.file("asked"), 1)
  let (context, other) = (try Context(), try Context())
  try context.send(Tick(number: 1))
  #expect(try context.journalStats().written == 1)
  #expect(throws: StreamError.self) { try other.journalStats() }
  try context.close()
  #expect(try Journal(folder.file("asked")).next()?.position == 1)
  setenv("MAINSTEM_RECORD", folder.file("nowhere/asked"), 1)
  #expect(throws: StreamError.self) { try Context() }
}

@Suite("Record") struct RecordTests {
  private let folder = Folder()

  private func status(_ call: () throws -> Void) -> Status {
    do { try call() } catch { return (error as? StreamError)?.status ?? .incomplete }
    return .ok
  }

  @Test func `a text with a zero in it is refused, and no other file or name is meant`() throws {
    let short = folder.file("journal")
    let long = short + "\u{0}.other"
    let context = try Context()

    #expect(status { try context.record(to: long) } == .invalid)
    try context.record(to: short)
    #expect(status { _ = try Journal(long) } == .invalid)
    #expect(status { _ = try Context().replay(long) } == .invalid)
    #expect(status { _ = try Journal.salvage(from: long, to: folder.file("to")) } == .invalid)
    #expect(status { _ = try Journal.salvage(from: short, to: short + "2\u{0}") } == .invalid)
    #expect(status { _ = try Journal(short + "2") } == .io)
    #expect(status { _ = try context.scope("a\u{0}b") } == .invalid)
    #expect(status { _ = try context.serial("a\u{0}b") } == .invalid)
  }

  @Test func `the counters say what is written, and a sync what is on the disk`() throws {
    let context = try Context()
    try context.record(to: folder.file("journal"))

    try context.send(contentsOf: [Tick(number: 1), Tick(number: 2)])
    let written = try context.journalStats()
    try context.syncJournal()

    #expect(written.status == .ok)
    #expect(written.written == 2)
    #expect(written.events == 2)
    #expect(written.segments == 1)
    #expect(written.bytes > 0)
    #expect(try context.journalStats().durable == 2)
  }

  @Test func `at level power what was sent is on the disk, and who wants to know is told`() throws {
    final class Held {}
    let context = try Context()
    var told: [UInt64] = []
    weak var held: Held?
    try context.record(to: folder.file("journal"), options: JournalOptions(durability: .power))
    do {
      let value = Held()
      held = value
      try context.onDurable { position in
        told.append(position)
        _ = value
      }
    }
    #expect(held != nil)

    try context.send(Tick(number: 1))
    try context.send(Tick(number: 2))

    #expect(told == [1, 2])
    #expect(try context.journalStats().durable == 2)
    try context.onDurable(nil)
    try context.send(Tick(number: 3))
    #expect(told == [1, 2])
    #expect(held == nil)
  }

  @Test func `a closure that is told is released with its context`() throws {
    final class Held {}
    weak var held: Held?
    do {
      let context = try Context()
      try context.record(to: folder.file("journal"))
      let value = Held()
      held = value
      try context.onDurable { _ in _ = value }
    }
    #expect(held == nil)
  }

  @Test func `the environment says where the first context is recorded`() async {
    await #expect(processExitsWith: .success) { try recordWhereAsked() }
  }

  @Test func `files of a size follow each other, and the last ones stay`() throws {
    let paths = (1...9).map { folder.file("journal.00000\($0)") }
    let context = try Context()
    try context.record(
      to: folder.file("journal"), options: JournalOptions(segmentSize: 4096, keep: 2))
    for number in 1...100 { try context.send(Tick(number: number)) }
    let stats = try context.journalStats()
    try context.close()

    let journal = try Journal(folder.file("journal"))
    var last: JournalEvent?
    while let event = try journal.next() { last = event }
    #expect(stats.segments > 2)
    #expect(try journal.info().files == 2)
    #expect(last?.position == 100)
    #expect(paths.filter { !Folder.bytes(of: $0).isEmpty }.count == 2)
  }

  @Test func `what cannot be is refused`() throws {
    let path = folder.file("journal")
    let (context, other) = (try Context(), try Context())
    try context.record(to: path)

    #expect(status { try other.record(to: path) } == .locked)
    #expect(status { try context.record(to: folder.file("second")) } == .invalid)
    #expect(status { try other.syncJournal() } == .invalid)
    #expect(status { try other.onDurable { _ in } } == .invalid)
    #expect(status { _ = try other.journalStats() } == .invalid)
    try context.close()
    #expect(status { try other.record(to: path, options: JournalOptions(isNew: true)) } == .invalid)
    #expect(status { try other.record(to: "/nowhere/journal") } == .io)
  }
}
