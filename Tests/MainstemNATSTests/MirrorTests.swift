// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

@testable import MainstemNATS

@Suite("Mirror and fetch", .enabled(if: Given.server != nil))
struct MirrorTests {
  private let server = Given.server ?? NATSConnection()

  @Test func `what was mirrored is fetched again, byte for byte`() throws {
    let (path, copy) = (Given.file("whole"), Given.file("whole-copy"))
    try record(20_000, to: path)

    let mirror = try Journal.mirror(path, to: server)
    try mirror.flush(timeout: .seconds(60))
    let stats = try mirror.stats()
    try mirror.close()
    let report = try Journal.fetch(copy, from: server, prefix: "whole")

    #expect(stats.state == .running)
    #expect(stats.status == .ok)
    #expect((stats.begun, stats.read, stats.done) == (1, 20_200, 20_200))
    #expect(stats.entries == 20_200)
    #expect((stats.refused, stats.lost, stats.leftOut, stats.message) == (0, 0, 0, ""))
    #expect(report.isWhole)
    #expect((report.events, report.first, report.last, report.missing) == (20_200, 1, 20_200, 0))
    #expect(bytes(of: copy) == bytes(of: path))
    let journal = try Journal(copy)
    while try journal.next() != nil {}
    #expect(try journal.info().id == report.id)
  }

  @Test func `a mirror follows, and its flush is awaited`() async throws {
    let (path, copy) = (Given.file("followed"), Given.file("followed-copy"))
    try await Self.recordFollowed(path, to: server)

    try Journal.fetch(copy, from: server, prefix: "followed")

    #expect(bytes(of: copy) == bytes(of: path))
  }

  @MainActor
  private static func recordFollowed(_ path: String, to server: NATSConnection) async throws {
    let context = try Context(on: MainActor.shared)
    try context.record(to: path)
    let mirror = try Journal.mirror(path, to: server)
    for number in 1...5 {
      try context.send(Tick(number: number))
      try await mirror.flush(timeout: .seconds(60))
      #expect(try mirror.stats().done == UInt64(number))
    }
    try context.close()
    try await mirror.flush(timeout: .seconds(60))
  }

  @Test(arguments: [([Layer.view], []), ([], ["Clicked"])])
  func `chosen events leave, and are what is fetched`(_ layers: [Layer], _ types: [String]) throws {
    let name = "chosen-\(layers.count)"
    let (path, copy) = (Given.file(name), Given.file("\(name)-copy"))
    try record(1000, to: path)
    let mirror = try Journal.mirror(
      path, to: server, prefix: "\(name).here", stream: name, layers: layers, types: types)
    try mirror.flush(timeout: .seconds(60))

    let report = try Journal.fetch(copy, from: server, prefix: "\(name).here", stream: name)

    #expect(try mirror.stats().entries == 10)
    #expect(!report.isWhole)
    #expect((report.events, report.first, report.last) == (10, 101, 1010))
  }

  @Test func `of several journals in a stream, the id names one`() throws {
    var ids: [[UInt8]] = []
    for name in ["first", "second"] {
      let path = Given.file(name)
      try record(10, to: path)
      let mirror = try Journal.mirror(path, to: server, prefix: "several")
      try mirror.flush(timeout: .seconds(60))
      let journal = try Journal(path)
      while try journal.next() != nil {}
      ids.append(try journal.info().id)
    }
    let copy = Given.file("several-copy")

    let error = refused { try Journal.fetch(copy, from: server, prefix: "several") }
    let report = try Journal.fetch(copy, from: server, prefix: "several", id: ids[1])

    #expect(error?.status == .invalid)
    #expect(error?.message.contains("several") == true)
    #expect(report.id == ids[1])
    #expect(bytes(of: copy) == bytes(of: Given.file("second")))
  }

  @Test func `an id is 32 digits`() {
    #expect(hexadecimal([0, 1, 15, 16, 255]) == "00010f10ff")
  }
}
