// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Point: Codable, Equatable, BitwiseCopyable, Sendable {
  var x: Int32
  var y: Int32
}
private struct Moved: Notice, BitwiseEvent {
  var from: Point
  var to: Point
  var at: Double
}
/// Room after `kind`, after `isLast` and at the end.
private struct Spaced: Notice, BitwiseEvent {
  var kind: UInt8
  var size: Int32
  var isLast: Bool
  var total: Int64
  var small: UInt16
}
private struct RequestSum: Request, BitwiseEvent {
  typealias Answer = ResponseSum
  var a: Int
  var b: Int
}
private struct ResponseSum: Response, BitwiseEvent { var sum: Int }
private struct Adder: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestSum.self) { ResponseSum(sum: $1.a + $1.b) }
  }
}
private struct Maybe: Notice, BitwiseEvent { var value: Int32? }
private enum Mood: UInt8, Codable, BitwiseCopyable, Sendable { case good, bad }
private struct Moody: Notice, BitwiseEvent { var mood: Mood }
private struct Nothing: Notice, BitwiseEvent {}

/// A C host that sends its own bytes under a name of ours.
private struct Raw: Notice {
  static let name = "Spaced"
  static let payload: Payload = .structure(size: 32)
  var bytes: [UInt8]
  func encoded(by coder: any PayloadCoder) -> [UInt8] { bytes }
}

@Suite("BitwiseEvent") struct BitwiseEventTests {
  @Test func `its payload is the struct as C has it, with zeros between the fields`() throws {
    let context = try Context(coder: nil)
    var payloads: [[UInt8]] = []
    let every = try context.observe { payloads.append($0.payload) }

    try context.send(Moved(from: Point(x: 1, y: -1), to: Point(x: 2, y: 3), at: 0.5))
    try context.send(Spaced(kind: 7, size: -2, isLast: true, total: 5, small: 0x0102))
    try context.send(Nothing())

    #expect(
      payloads == [
        [1, 0, 0, 0, 255, 255, 255, 255, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f],
        [7, 0, 0, 0, 254, 255, 255, 255, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 2, 1]
          + [UInt8](repeating: 0, count: 6), [],
      ])
    every.cancel()
  }

  @Test func `observers, servers and mailboxes read the struct`() throws {
    let context = try Context(coder: nil)
    try context.install(Adder())
    let moved = Moved(from: Point(x: 1, y: -1), to: Point(x: 2, y: 3), at: 0.5)
    let spaced = Spaced(kind: 7, size: -2, isLast: true, total: 5, small: 9)
    var seen: [Moved] = []
    var late: [Spaced] = []
    let first = try context.observe(Moved.self) { event, _ in seen.append(event) }
    let second = try context.observe(Moved.self, on: .host) { event, _ in seen.append(event) }
    let third = try context.observe(Spaced.self) { event, _ in late.append(event) }
    let mailbox = try context.mailbox(Spaced.self)

    try context.send(moved)
    try context.send(contentsOf: [spaced, spaced])
    try context.drain()

    #expect(seen == [moved, moved])
    #expect(late == [spaced, spaced])
    #expect(try mailbox.fetch().map { try $0.decode(Spaced.self) } == [spaced, spaced])
    #expect(context.request(RequestSum(a: 2, b: 3)) == .success(ResponseSum(sum: 5)))
    for subscription in [first, second, third] { subscription.cancel() }
  }

  @Test func `a byte that is no Bool is a failure, not a wrong Bool`() throws {
    let context = try Context()
    var reports: [FailureReport] = []
    let watching = try context.observe(FailureReport.self) { report, _ in reports.append(report) }
    let spaced = try context.observe(Spaced.self) { _, _ in }

    let raw = Raw(bytes: [UInt8](repeating: 2, count: 32))
    try Context(borrowing: context.handle).send(raw)

    #expect(reports.map(\.message) == ["Spaced: byte 8 is 2, and a Bool is 0 or 1"])
    watching.cancel()
    spaced.cancel()
  }

  @Test func `a field that some bytes are no value of is refused where the type is first used`()
    throws
  {
    let context = try Context()

    let maybe = #expect(throws: StreamError.self) { try context.send(Maybe(value: 1)) }
    let moody = #expect(throws: StreamError.self) {
      _ = try context.observe(Moody.self) { _, _ in }
    }

    #expect(maybe?.status == .invalid)
    #expect(
      maybe?.message
        == "Maybe: value: Optional<Int32> is no number and no struct of numbers: remove BitwiseEvent"
    )
    #expect(
      moody?.message
        == "Moody: mood: Mood is no number and no struct of numbers: remove BitwiseEvent")
  }
}
