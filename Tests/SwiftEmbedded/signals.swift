// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// MainstemSignals in Embedded Swift: all operators, on a clock of its own. And what a value allocates on its way through
// a chain, also with the ordinary runtime: nothing.

import MainstemSignals

@_extern(c, "allocations") func allocations() -> Int
@_extern(c, "exit") func exit(_ status: Int32)

struct Broken: Error {}

final class StepClock: SignalClock {
  private var present = Duration.zero
  private var alarm: Duration?

  override var now: Duration { present }
  override func setAlarm(at time: Duration?) { alarm = time }

  func advance(by duration: Duration) {
    let end = present + duration
    while let time = alarm, time <= end {
      present = time
      fire()
    }
    present = end
    fire()
  }
}

typealias Numbers = Signal<Int, Broken>

@main struct Program {
  nonisolated(unsafe) static var failures = 0

  static func expect(_ isTrue: Bool, _ name: StaticString) {
    if isTrue { return }
    failures += 1
    print(name)
  }

  /// The sum of what a signal sends in a second, and whether it has ended.
  static func sum(_ signal: Numbers) -> (sum: Int, hasEnded: Bool) {
    let clock = StepClock()
    var sum = 0
    let run = signal.start(on: clock) { event in
      if case .next(let value) = event { sum += value }
    }
    clock.advance(by: .seconds(1))
    return (sum, run.isEnded)
  }

  static func ticks(_ count: Int) -> Numbers {
    Signal<Int, Never>.every(.milliseconds(10)).failing(as: Broken.self).take(count)
  }

  static func main() {
    operators()
    times()
    ports()
    allocatesNothing("ten operators", ten)
    allocatesNothing("a hundred operators") { source in
      (0..<100).reduce(source) { signal, _ in signal.map { $0 &+ 1 } }
    }
    allocatesNothing("merge, zip, combineLatest") { source in
      let shared = source.share()
      return shared.merge(shared).zip(shared.merge(shared)) { $0 &+ $1 }
        .combineLatest(shared) { $0 &+ $1 }
    }
    allocatesNothing("operators with time") { source in
      source.debounce(.milliseconds(3)).throttle(.milliseconds(2)).delay(.milliseconds(2))
        .timeout(.seconds(5), Broken())
    }
    print(failures == 0 ? "signals: passed" : "signals: FAILED")
    exit(failures == 0 ? 0 : 1)
  }

  static func operators() {
    let five = Numbers.values(1...5)
    expect(sum(five.map { $0 * 2 }.filter { $0 > 2 }.skip(1).take(2)).sum == 14, "map to take")
    expect(sum(five.scan(0) { $0 + $1 }.distinct()).sum == 35, "scan")
    expect(sum(five.compactMap { $0 > 3 ? $0 : nil }.startWith(1)).sum == 10, "compactMap")
    expect(sum(five.merge(five).zip(five) { $0 * $1 }).sum == 55, "merge, zip")
    expect(sum(five.combineLatest(five) { $0 + $1 }).sum == 40, "combineLatest")
    expect(sum(five.concat(five).repeat(2)).sum == 60, "concat, repeat")
    expect(sum(five.flatMap(.concat) { .just($0) }).sum == 15, "flatMap")
    expect(sum(five.flatMap(.latest) { .values(0..<$0) }).sum == 20, "flatMap latest")
    expect(sum(Numbers.failed(Broken()).catch { _ in five }).sum == 15, "catch")
    expect(sum(five.concat(.failed(Broken())).retry(2)).sum == 45, "retry")
    expect(sum(five.tryMap { (value) throws(Broken) in throw Broken() }).sum == 0, "tryMap")
    expect(
      sum(
        .deferred {
          .create {
            $0.next(3); return nil
          }
        }
      ).sum == 3, "create")
  }

  static func times() {
    expect(sum(ticks(5).delay(.milliseconds(50)).takeUntil(ticks(8).skip(7))).sum == 1, "takeUntil")
    expect(sum(ticks(5).debounce(.milliseconds(20))).sum == 4, "debounce")
    expect(sum(ticks(5).throttle(.milliseconds(25))).sum == 6, "throttle")
    expect(sum(ticks(5).buffer(time: .seconds(1), count: 2).map { $0.count }).sum == 5, "buffer")
    expect(sum(ticks(5).concat(.never).timeout(.milliseconds(30), Broken())).hasEnded, "timeout")
  }

  static func ports() {
    var sum = 0
    let clock = StepClock()
    let run = Numbers.receive { port in
      port.next(4)
      port.completed()
      return nil
    }.start(on: clock) { event in
      if case .next(let value) = event { sum += value }
    }
    clock.fire()
    expect(sum == 4 && run.isEnded, "receive")
  }

  static func ten(_ source: Numbers) -> Numbers {
    source.map { $0 &+ 1 }.filter { $0 != 7 }.scan(0) { $0 &+ $1 }.distinct().map { $0 &* 3 }
      .skip(1).compactMap { $0 == 5 ? nil : $0 }.map { $0 ^ 1 }.filter { $0 != 9 }.take(.max)
  }

  static func allocatesNothing(_ name: StaticString, _ chain: (Numbers) -> Numbers) {
    let clock = StepClock()
    var input: SignalInput<Int, Broken>?
    var heard = 0
    let signal = chain(
      .create {
        input = $0
        return nil
      })
    let run = signal.start(on: clock) { event in
      if case .next = event { heard += 1 }
    }
    func send(_ count: Int) {
      for value in 0..<count {
        input?.next(value)
        if value % 8 == 0 { clock.advance(by: .milliseconds(1 + value % 5)) }
      }
    }
    send(1000)
    let (before, heardBefore) = (allocations(), heard)
    send(10_000)
    expect(before > 0 && allocations() == before, name)
    expect(heard > heardBefore && !run.isEnded, name)
    withExtendedLifetime(run) {}
  }
}
