// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mainstem
import Testing

/// Law 6: no surprise thread, and where an observer runs is said by its scheduler.
extension LawTests {
  /// What callbacks on another thread have seen.
  private final class Seen: Sendable {
    let numbers = Guarded<[Int]>([])
    let threads = Guarded<Set<UInt>>([])
    func add(_ number: Int) {
      numbers.change { $0.append(number) }
      threads.change { _ = $0.insert(UInt(pthread_self())) }
    }
  }

  @Test func `law 6: a host observer runs inside a drain only`() throws {
    let context = try Context()
    var seen: [String] = []
    let host = try context.observe(Tick.self, on: .host) { tick, delivery in
      seen.append("host \(tick.number) at \(delivery.position)")
    }
    let immediate = try context.observe(Tick.self) { tick, _ in
      seen.append("at once \(tick.number)")
    }

    for number in 1...2 { try context.send(Tick(number: number)) }
    #expect(seen == ["at once 1", "at once 2"])

    seen = []
    try context.drain()
    #expect(seen == ["host 1 at 1", "host 2 at 2"])
    for subscription in [host, immediate] { subscription.cancel() }
  }

  @Test func `law 6: deliver on host: a send only accepts`() throws {
    let context = try Context(ContextOptions(deliverOnHost: true))
    var seen: [Int] = []
    let subscription = try context.observe(Tick.self) { tick, _ in seen.append(tick.number) }

    for number in 1...3 { try context.send(Tick(number: number)) }
    #expect(seen == [])
    #expect(try context.stats().events == 3)

    try context.drain()
    #expect(seen == [1, 2, 3])
    subscription.cancel()
  }

  @Test func `law 6: deliver on host: a request waits for its answer`() throws {
    let context = try Context(ContextOptions(deliverOnHost: true))
    try context.install(Doubler())

    #expect(try context.request(RequestDouble(number: 4)).get().number == 8)
  }

  @Test func `law 6: a serial observer runs on one other thread, in order`() throws {
    let context = try Context()
    let seen = Seen()
    let poster = try context.poster(for: Tock.self)
    var done = false
    let end = try context.observe(Tock.self) { _, _ in done = true }
    let serial = try context.serial("Serial", spin: .microseconds(50))
    let subscription = try context.observe(Tick.self, on: serial) { tick, _ in
      seen.add(tick.number)
      if tick.number == 1000 { try poster.post(Tock(text: "done")) }
    }

    for number in 1...1000 { try context.send(Tick(number: number)) }
    while !done { try context.wait() }

    #expect(seen.numbers.value == Array(1...1000))
    #expect(seen.threads.value.count == 1)
    #expect(!seen.threads.value.contains(UInt(pthread_self())))
    try subscription.cancelAndWait()
    end.cancel()
  }

  @Test func `law 6: what a serial callback sends itself is refused`() throws {
    let context = try Context()
    let refused = Guarded<[Status]>([])
    let poster = try context.poster(for: Tock.self)
    var done = false
    let end = try context.observe(Tock.self) { _, _ in done = true }
    let subscription = try context.observe(
      Tick.self, on: context.serial("Serial")
    ) { _, delivery in
      let code = status { () throws(StreamError) in try delivery.context.send(Tick(number: 2)) }
      refused.change { $0.append(code) }
      try poster.post(Tock(text: "done"))
    }

    try context.send(Tick(number: 1))
    while !done { try context.wait() }

    #expect(refused.value == [.wrongThread])
    try subscription.cancelAndWait()
    end.cancel()
  }

  @Test func `law 6: an answer comes where it is wanted`() throws {
    let context = try Context()
    try context.install(Doubler())
    var answers: [Int] = []
    try context.request(RequestDouble(number: 1), on: .host) { result, _ in
      answers.append((try? result.get().number) ?? 0)
    }
    #expect(answers == [])
    try context.drain()
    #expect(answers == [2])

    let seen = Seen()
    let poster = try context.poster(for: Tock.self)
    var done = false
    let end = try context.observe(Tock.self) { _, _ in done = true }
    try context.request(RequestDouble(number: 2), on: context.serial("Serial")) { result, _ in
      seen.add((try? result.get().number) ?? 0)
      try? poster.post(Tock(text: "done"))
    }
    while !done { try context.wait() }
    #expect(seen.numbers.value == [4])
    #expect(!seen.threads.value.contains(UInt(pthread_self())))
    end.cancel()
  }
}
