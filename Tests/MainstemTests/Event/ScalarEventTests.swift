// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Ready: Notice, ScalarEvent { var value: Bool }
private struct Counted: Notice, ScalarEvent { var value: Int }
private struct Exact: Notice, ScalarEvent { var value: Int64 }
private struct Alpha: Notice, ScalarEvent { var value: Double }

/// A C host that sends its own bytes under a name of ours.
private struct Raw: Notice {
  static let name = "Ready"
  static let payload: Payload = .bool
  var bytes: [UInt8]
  func encoded(by coder: any PayloadCoder) -> [UInt8] { bytes }
}

@Suite("ScalarEvent") struct ScalarEventTests {
  @Test func `its payload and its line are the value alone`() throws {
    let context = try Context(coder: nil)
    var payloads: [[UInt8]] = []
    var lines: [String] = []
    let every = try context.observe {
      payloads.append($0.payload)
      lines.append($0.line)
    }

    try context.send(Ready(value: true))
    try context.send(Counted(value: -2))
    try context.send(Exact(value: .max))
    try context.send(Alpha(value: 0.5))

    #expect(
      payloads == [
        [1], [254] + [UInt8](repeating: 255, count: 7), [UInt8](repeating: 255, count: 7) + [127],
        [0, 0, 0, 0, 0, 0, 0xe0, 0x3f],
      ])
    #expect(
      lines == ["#1 Ready true", "#2 Counted -2", "#3 Exact 9223372036854775807", "#4 Alpha 0.5"])
    every.cancel()
  }

  @Test(arguments: [0, -1, 1, Int.min, Int.max])
  func `observers get the value that was sent`(number: Int) throws {
    let context = try Context(coder: nil)
    var counted: [Int] = []
    var alphas: [Double] = []
    let first = try context.observe(Counted.self) { event, _ in counted.append(event.value) }
    let second = try context.observe(Alpha.self) { event, _ in alphas.append(event.value) }

    try context.send(Counted(value: number))
    try context.send(Alpha(value: Double(number) / 3))

    #expect(counted == [number])
    #expect(alphas == [Double(number) / 3])
    first.cancel()
    second.cancel()
  }

  @Test(arguments: [[2], [], [1, 1]]) func `no other byte is a Bool`(bytes: [UInt8]) throws {
    let context = try Context(coder: nil)
    #expect(throws: StreamError.self) { try context.send(Raw(bytes: bytes)) }
    #expect(throws: (any Error).self) { try Ready.decoded(from: bytes, by: JSONCoder()) }
  }
}
