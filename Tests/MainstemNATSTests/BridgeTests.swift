// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import CMainstem
import CMainstemNATS
import Mainstem
import Testing

@testable import MainstemNATS

@Suite("Bridge", .enabled(if: Given.server != nil))
struct BridgeTests {
  private let server = Given.server ?? NATSConnection()

  @Test func `a bridge that finds no server waits, and a flush says why`() async throws {
    let path = Given.file("waiting")
    try record(1, to: path)
    let mirror = try Journal.mirror(path, to: Given.nobody)

    let error = await flushed(mirror, timeout: .milliseconds(20))

    #expect(error?.status == .timeout)
    #expect(error?.message.hasPrefix("mainstem_nats_flush: the mirror is at 0") == true)
    #expect(try mirror.stats().entries == 0)
    #expect(await flushed(mirror, timeout: .seconds(-1))?.status == .invalid)
  }

  @Test func `a task that is cancelled awaits no flush`() async throws {
    let path = Given.file("cancelled")
    try record(1, to: path)

    let error = await withTaskGroup(of: StreamError?.self) { group in
      group.addTask {
        do throws(StreamError) {
          try await Journal.mirror(path, to: Given.nobody).flush()
        } catch {
          return error
        }
        return nil
      }
      group.cancelAll()
      return await group.next() ?? nil
    }

    #expect(error?.status == .cancelled)
  }

  private func flushed(
    _ bridge: Bridge, timeout: Duration?, isolation: isolated (any Actor)? = #isolation
  ) async -> StreamError? {
    do throws(StreamError) { try await bridge.flush(timeout: timeout) } catch { return error }
    return nil
  }

  @Test func `one that is closed is stale`() throws {
    let path = Given.file("stale")
    try record(1, to: path)
    let mirror = try Journal.mirror(path, to: server)
    try mirror.close()
    try mirror.close()

    #expect(refused { _ = try mirror.stats() }?.status == .stale)
    #expect(refused { try mirror.flush() }?.status == .stale)
  }

  @Test func `one that is released gives its handle back`() throws {
    let path = Given.file("given-back")
    try record(1, to: path)
    for _ in 1...200 { _ = try Journal.mirror(path, to: Given.nobody) }
  }

  @Test func `a mistake is named as in C`() throws {
    let path = Given.file("mistakes")
    try record(1, to: path)
    let none = refused { _ = try Journal.mirror(Given.file("none"), to: server) }
    let blank = refused { _ = try Journal.mirror(path, to: server, prefix: "two words") }
    let there = refused { try Journal.fetch(path, from: server) }
    let away = refused { try Journal.fetch(Given.file("away"), from: Given.nobody, timeout: .zero) }
    let stream = refused { try Journal.fetch(Given.file("empty"), from: server) }

    #expect(none?.status == .io)
    #expect(blank?.message.hasPrefix("mainstem_nats_mirror: options.prefix: parts joined") == true)
    #expect(there?.status == .invalid)
    #expect(away?.status == .io)
    #expect(stream?.status == .invalid)
    #expect(bytes(of: Given.file("away")).isEmpty)
  }

  @Test func `a text with a zero in it is refused`() throws {
    let path = Given.file("zeros")
    try record(1, to: path)
    var hidden = Given.nobody
    hidden.password = SecretText("love\0lace")
    let mirrored = refused { _ = try Journal.mirror("\(path)\0else", to: server) }
    let fetched = refused { try Journal.fetch("\(path)-again\0", from: server) }
    let prefix = refused { _ = try Journal.mirror(path, to: server, prefix: "todo\0list") }
    let password = refused { _ = try Journal.mirror(path, to: hidden) }

    #expect(mirrored?.message == "mirror: path: has a zero in it")
    #expect(fetched?.message == "fetch: path: has a zero in it")
    #expect(prefix?.message == "a text of the options: has a zero in it")
    #expect(password?.message == "a text of the options: has a zero in it")
    #expect(bytes(of: "\(path)-again").isEmpty)
  }

  @Test func `a password lets in, and is not shown`() throws {
    let path = Given.file("guarded")
    try record(3, to: path)
    var ada = Given.guarded
    ada.user = "ada"
    ada.password = SecretText("lovelace")
    var eve = ada
    eve.password = SecretText("byron")

    let mirror = try Journal.mirror(path, to: ada)
    try mirror.flush(timeout: .seconds(60))
    let error = refused { try Journal.fetch(Given.file("eve"), from: eve, prefix: "guarded") }

    #expect(try mirror.stats().entries == 3)
    #expect(error?.status == .denied)
    #expect(!String(reflecting: ada).contains("lovelace"))
  }

  @Test func `each option goes to its field`() throws {
    var connection = NATSConnection("url")
    connection.name = "name"
    connection.user = "user"
    connection.password = SecretText("password")
    connection.credentials = "credentials"
    connection.usesTLS = true
    connection.authorities = "authorities"
    connection.certificate = "certificate"
    connection.key = "key"
    connection.host = "host"
    var options = try BridgeOptions(connection)
    options.set(\.layers, ["one", "two"])
    options.set(\.as, ["three"])
    options.set(\.types, [])
    options.set(\.queue, "queue")

    func text(_ place: UnsafePointer<CChar>?) -> String { place.map { String(cString: $0) } ?? "" }
    try options.call { made in
      #expect(made.flags == UInt32(MAINSTEM_NATS_TLS))
      #expect(text(made.url) == "url")
      #expect(text(made.name) == "name")
      #expect(text(made.user) == "user")
      #expect(text(made.password) == "password")
      #expect(text(made.credentials) == "credentials")
      #expect(text(made.authorities) == "authorities")
      #expect(text(made.certificate) == "certificate")
      #expect(text(made.key) == "key")
      #expect(text(made.host) == "host")
      #expect(text(made.queue) == "queue")
      #expect(made.prefix == nil)
      #expect(made.types == nil)
      #expect([made.layers[0], made.layers[1], made.as[0]].map(text) == ["one", "two", "three"])
      return 0
    }
  }
}
