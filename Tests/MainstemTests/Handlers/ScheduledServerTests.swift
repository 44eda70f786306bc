// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Mainstem
import Testing

private struct RequestSum: Request {
  typealias Answer = ResponseSum
  var numbers: [Int]
}
private struct ResponseSum: Response { var sum: Int }

private struct Adder: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestSum.self) { _, request in ResponseSum(sum: request.numbers.reduce(0, +)) }
  }
}

@Suite("A server on a scheduler") struct ScheduledServerTests {
  @Test func `a server on the host's scheduler answers in a drain`() throws {
    let context = try Context()
    try context.install(Adder(), on: .host)
    var sums: [Int] = []
    try context.request(RequestSum(numbers: [1, 2])) { result, _ in
      sums.append((try? result.get().sum) ?? 0)
    }
    #expect(sums == [])
    try context.drain()
    #expect(sums == [3])
  }

  @Test func `a server that is held on a thread of its own holds up nothing`() throws {
    struct Meanwhile: Notice {}
    let context = try Context()
    let gate = Gate()
    try context.install(Held(gate: gate), on: try context.serial("held"))
    var seen: [String] = []
    let subscription = try context.observe(Meanwhile.self) { _, _ in seen.append("meanwhile") }
    try context.request(RequestSum(numbers: [1, 2])) { result, _ in
      seen.append("\((try? result.get().sum) ?? 0)")
    }
    gate.waitUntilHeld()
    try context.send(Meanwhile())
    #expect(seen == ["meanwhile"])
    gate.open()
    try context.wait()
    #expect(seen == ["meanwhile", "3"])
    subscription.cancel()
  }

  @Test func `a handler that blocks its thread hears that nobody waits`() throws {
    struct Counting: Server {
      let (began, ended): (DispatchSemaphore, DispatchSemaphore)
      static func handlers(_ on: inout Handlers<Self>) {
        on.event(RequestSum.self) { counting, _, delivery in
          counting.began.signal()
          while !delivery.isSettled {}
          counting.ended.signal()
          return []
        }
      }
    }
    let context = try Context()
    let (began, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    try context.install(Counting(began: began, ended: ended), on: try context.serial("worker"))
    for _ in 1...3 {
      let pending = try context.request(RequestSum(numbers: [])) { _, _ in }
      began.wait()
      pending.cancel()
      ended.wait()
    }
    try context.close()
  }

  @Test func `a request is settled when it is answered, and not before`() throws {
    struct Looking: Server {
      var seen: [Bool] = []
      static func handlers(_ on: inout Handlers<Self>) {
        on.event(RequestSum.self) { looking, request, delivery in
          looking.seen.append(delivery.isSettled)
          let reply = try delivery.reply(to: RequestSum.self)
          looking.seen.append(reply.isSettled)
          try reply.respond(ResponseSum(sum: request.numbers.count))
          looking.seen += [delivery.isSettled, reply.isSettled]
          #expect(looking.seen == [false, false, true, true])
          looking.seen = []
          return []
        }
      }
    }
    let context = try Context()
    try context.install(Looking())
    #expect(try context.request(RequestSum(numbers: [1, 2])).get().sum == 2)
    #expect(try context.stats().failures == 0)
  }

  @Test func `an event has its names on a serial scheduler, too`() throws {
    struct Meanwhile: Notice {}
    let context = try Context()
    let (names, done) = (Guarded<[String]>([]), DispatchSemaphore(value: 0))
    let subscription = try context.observe(Meanwhile.self, on: try context.serial("reader")) {
      _, delivery in
      let read = [delivery.name, delivery.origin]
      names.change { $0 = read }
      done.signal()
    }
    try context.scope("Sender").send(Meanwhile())
    done.wait()
    #expect(names.value == ["Meanwhile", "Sender"])
    try subscription.cancelAndWait()
  }

  @Test func `a server's queue that drops events is refused`() throws {
    let context = try Context()
    #expect {
      try context.install(Adder(), on: .host, queue: .latest)
    } throws: { error in
      (error as? StreamError)?.message.contains("a server's queue is .reject or .block") == true
    }
  }
}

/// Answers when its gate is open.
private struct Held: Server, Sendable {
  let gate: Gate
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestSum.self) { server, request in
      server.gate.hold()
      return ResponseSum(sum: request.numbers.reduce(0, +))
    }
  }
}

/// A thread that comes to it waits until it is opened.
private final class Gate: Sendable {
  private let held = DispatchSemaphore(value: 0)
  private let opened = DispatchSemaphore(value: 0)
  func hold() {
    held.signal()
    opened.wait()
  }
  func waitUntilHeld() { held.wait() }
  func open() { opened.signal() }
}
