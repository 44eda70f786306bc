// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import MainstemSignals
import MainstemTesting
import Testing

@Suite("Clocks")
struct ClockTests {
  typealias Numbers = Signal<Int, Never>

  /// A clock whose alarms are noted, and which the test moves by hand.
  private final class NotedClock: SignalClock {
    var present = Duration.zero
    var alarms: [Duration?] = []
    override var now: Duration { present }
    override func setAlarm(at time: Duration?) { alarms.append(time) }
  }

  @Test func `a value that is debounced again sets no alarm anew`() {
    let clock = NotedClock()
    var input: SignalInput<Int, Never>?
    var heard: [Int] = []
    let run = Numbers.create {
      input = $0
      return nil
    }.debounce(.seconds(1)).startWithValues(on: clock) { heard.append($0) }

    for value in 0..<100 {
      clock.present += .milliseconds(5)
      input?.next(value)
    }
    #expect(clock.alarms == [.milliseconds(1005)])
    clock.present = .milliseconds(1005)
    clock.fire()
    #expect(clock.alarms == [.milliseconds(1005), .milliseconds(1500)])
    #expect(heard == [])
    clock.present = .milliseconds(1500)
    clock.fire()

    #expect(heard == [99])
    #expect(clock.alarms.last == .some(nil))
    run.cancel()
  }

  @Test func `an alarm that comes early is set again`() {
    let clock = NotedClock()
    let run = Numbers.just(1).delay(.milliseconds(10)).startWithValues(on: clock) { _ in }
    clock.present = .milliseconds(9)

    clock.fire()

    #expect(clock.alarms == [.milliseconds(10), .milliseconds(10)])
    run.cancel()
    #expect(clock.alarms.last == .some(nil))
  }

  @Test func `late deadlines are handled in order, each as if it were on time`() {
    let clock = NotedClock()
    var heard: [Int] = []
    let run = Numbers.every(.milliseconds(10)).debounce(.milliseconds(4))
      .merge(Numbers.every(.milliseconds(7)).map { 100 + $0 })
      .startWithValues(on: clock) { heard.append($0) }

    clock.present = .milliseconds(30)
    clock.fire()

    #expect(heard == [100, 0, 101, 102, 1, 103])
    run.cancel()
  }

  @Test func `a clock that is called inside a callback answers after it`() {
    let clock = NotedClock()
    var log: [String] = []
    let run = Numbers.every(.milliseconds(1)).take(2).startWithValues(on: clock) { value in
      log.append("enter \(value)")
      clock.present += .milliseconds(1)
      clock.fire()
      log.append("leave \(value)")
    }

    clock.present = .milliseconds(1)
    clock.fire()

    #expect(log == ["enter 0", "leave 0", "enter 1", "leave 1"])
    #expect(run.isEnded)
  }

  @Test func `two clocks on one thread share a signal`() {
    let (one, other) = (VirtualClock(), VirtualClock())
    var (first, second): ([Int], [Int]) = ([], [])
    let shared = Numbers.every(.milliseconds(10)).share()
    let runs = [
      shared.startWithValues(on: one) { first.append($0) },
      shared.delay(.milliseconds(1)).startWithValues(on: other) { second.append($0) },
    ]

    one.advance(by: .milliseconds(20))
    #expect(first == [0, 1])
    #expect(second == [])
    other.advance(by: .milliseconds(1))
    #expect(second == [0, 1])
    for run in runs { run.cancel() }
    #expect(one.next == nil)
  }
}
