// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MainstemSignals
import MainstemTesting
import Synchronization
import Testing

@Suite("Ports")
struct PortTests {
  /// Counts how often a port asked for its owner.
  private final class Wakes: Sendable {
    let count = Atomic<Int>(0)
  }

  private final class WokenClock: SignalClock {
    let wakes = Wakes()
    override func makeWaker() -> @Sendable () -> Void {
      { [wakes] in wakes.count.add(1, ordering: .relaxed) }
    }
  }

  @Test func `what eight threads send arrives on the owner's thread, each one's in order`() {
    let (threads, each) = (8, 2000)
    let clock = WokenClock()
    var heard = [[Int]](repeating: [], count: threads)
    let signal = Signal<(thread: Int, number: Int), Never>.receive { port in
      for thread in 0..<threads {
        Thread.detachNewThread {
          for number in 0..<each { port.next((thread, number)) }
        }
      }
      return nil
    }
    let owner = Thread.current

    let run = signal.startWithValues(on: clock) { value in
      #expect(Thread.current === owner)
      heard[value.thread].append(value.number)
    }
    while heard.contains(where: { $0.count < each }) { clock.fire() }

    #expect(heard == [[Int]](repeating: Array(0..<each), count: threads))
    #expect(clock.wakes.count.load(ordering: .relaxed) > 0)
    run.cancel()
  }

  @Test func `threads that send while the run ends send to nobody`() {
    for _ in 0..<50 {
      let clock = SignalClock()
      let done = Wakes()
      var heard = 0
      let run = Signal<[Int], Never>.receive { port in
        for _ in 0..<4 {
          Thread.detachNewThread {
            for number in 0..<200 { port.next([number]) }
            port.completed()
            done.count.add(1, ordering: .releasing)
          }
        }
        return nil
      }.startWithValues(on: clock) { _ in heard += 1 }
      clock.fire()
      run.cancel()
      let before = heard
      while done.count.load(ordering: .acquiring) < 4 { clock.fire() }
      #expect(heard == before)
    }
  }

  @Test func `a port keeps the grammar, and wakes its owner once for what it has not seen`() {
    let clock = WokenClock()
    var port: SignalPort<Int, Never>?
    var (heard, cancels): ([SignalEvent<Int, Never>], Int) = ([], 0)
    let run = Signal<Int, Never>.receive {
      port = $0
      return { cancels += 1 }
    }.start(on: clock) { heard.append($0) }

    for value in 0..<3 { port?.next(value) }
    #expect(heard == [])
    #expect(clock.wakes.count.load(ordering: .relaxed) == 1)
    clock.fire()
    #expect(heard == [.next(0), .next(1), .next(2)])
    port?.completed()
    port?.next(9)
    clock.fire()

    #expect(heard == [.next(0), .next(1), .next(2), .completed])
    #expect(cancels == 1)
    #expect(port?.isOpen == false)
    #expect(run.isEnded)
  }

  @Test func `what nobody takes is released with the port`() {
    final class Token: Sendable {}
    weak var token: Token?
    do {
      var port: SignalPort<Token, Never>?
      let run = Signal<Token, Never>.receive {
        port = $0
        return nil
      }.startWithValues { _ in }
      let kept = Token()
      token = kept
      port?.next(kept)
      run.cancel()
    }
    #expect(token == nil)
  }
}
