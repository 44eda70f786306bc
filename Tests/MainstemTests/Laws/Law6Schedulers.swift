// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mainstem
import Testing

/// Law 6, beside the scenarios: many events on a serial scheduler, and answers where they are wanted.
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
