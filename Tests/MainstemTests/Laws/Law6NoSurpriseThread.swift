// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mainstem
import Testing

/// Law 6: no surprise thread.
extension LawTests {
  @Test func `law 6: another thread is refused, but may post, and the owner drains`() throws {
    let context = try Context()
    var seen: [String] = []
    let subscription = try context.observe(Tick.self) { tick, delivery in
      seen.append("\(tick.number) from \(delivery.cause)")
    }
    let poster = try context.poster(for: Tick.self)
    // What Swift refuses is asked for here, to see that the library refuses it too.
    nonisolated(unsafe) let foreign = context
    nonisolated(unsafe) var refused = Status.ok
    onAnotherThread {
      refused = status { () throws(StreamError) in try foreign.send(Tick(number: 0)) }
      for number in 1...3 { try? poster.post(Tick(number: number)) }
    }

    #expect(refused == .wrongThread)
    #expect(seen == [])
    #expect(try context.drain() == 3)
    #expect(seen == ["1 from 0", "2 from 0", "3 from 0"])
    subscription.cancel()
  }

  @Test func `law 6: a batch of posts wakes the owner once`() throws {
    let context = try Context()
    let poster = try context.poster(for: Tick.self)
    nonisolated(unsafe) let counted = WakeCount()
    try context.onWake { counted.calls += 1 }

    for round in 1...3 {
      for number in 1...1000 { try poster.post(Tick(number: number)) }
      #expect(counted.calls == round)
      #expect(try context.drain() == 1000)
    }

    try context.onWake(nil)
    #expect(counted.calls == 3)
  }
}

/// What a wake hook counts: here on one thread.
private final class WakeCount { var calls = 0 }

/// Runs a closure on a thread of its own and returns when that has ended.
private func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { work in
      if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Work(body)).toOpaque())
  pthread_join(thread, nil)
}
