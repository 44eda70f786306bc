// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import MainstemSignals
import MainstemTesting
import Testing

@Suite("Clocks that are adrift")
struct AdriftTests {
  typealias Numbers = Signal<Int, Never>

  /// A clock whose time the test moves by hand, and which at times has none.
  private final class AdriftClock: SignalClock {
    var present = Duration.zero
    var isOutside = true
    var alarm: Duration?
    let calls = Calls()
    override var now: Duration { present }
    override var isAdrift: Bool { isOutside }
    override func setAlarm(at time: Duration?) { alarm = time }
    override func makeWaker() -> @Sendable () -> Void { { [calls] in calls.count += 1 } }

    /// Calls it at a time, as its host does.
    func fire(at time: Duration) {
      (present, isOutside) = (time, false)
      fire()
      isOutside = true
    }

    /// All that happens until a time.
    func run(until end: Duration) {
      while let time = alarm, time <= end { fire(at: time) }
    }
  }

  /// How often the host was told. All of it happens on the test's thread.
  private final class Calls: @unchecked Sendable { var count = 0 }

  /// A run, and what it sent with the times of the clock.
  private final class Heard {
    var lines: [String] = []
    var run: SignalRun?

    init(_ signal: Numbers, on clock: AdriftClock) {
      run = signal.startWithValues(on: clock) { [unowned self, unowned clock] value in
        lines.append("\(value)@\(Int(clock.present / .milliseconds(1)))")
      }
    }
  }

  private func created(_ keep: @escaping (SignalInput<Int, Never>) -> Void) -> Numbers {
    .create {
      keep($0)
      return nil
    }
  }

  @Test func `a delay counts from the first call, not from the time of its start`() {
    let clock = AdriftClock()
    clock.present = .seconds(1000)
    let heard = Heard(.every(.milliseconds(10)), on: clock)
    #expect(clock.alarm == nil)
    #expect(clock.calls.count == 1)

    clock.fire(at: .milliseconds(500))
    #expect(clock.alarm == .milliseconds(510))
    clock.run(until: .milliseconds(535))

    #expect(heard.lines == ["0@510", "1@520", "2@530"])
    #expect(clock.calls.count == 1)
  }

  @Test func `what is due at once is not adrift`() {
    let clock = AdriftClock()
    let heard = Heard(Numbers.values(1...3).merge(.just(4).delay(.zero)), on: clock)

    #expect(heard.lines == ["1@0", "2@0", "3@0"])
    clock.fire(at: .milliseconds(7))
    #expect(heard.lines == ["1@0", "2@0", "3@0", "4@7"])
    #expect(heard.run?.isEnded == true)
  }

  @Test func `adrift and not, each delay has its own beginning`() {
    let clock = AdriftClock()
    var input: SignalInput<Int, Never>?
    let heard = Heard(created { input = $0 }.delay(.milliseconds(10)), on: clock)

    clock.isOutside = false
    clock.present = .milliseconds(100)
    input?.next(0)
    clock.isOutside = true
    // Not the time that it has here.
    clock.present = .milliseconds(9000)
    input?.next(1)
    input?.next(2)
    clock.fire(at: .milliseconds(104))
    clock.present = .milliseconds(1)
    input?.next(3)
    clock.fire(at: .milliseconds(110))
    clock.run(until: .milliseconds(200))

    #expect(heard.lines == ["0@110", "1@114", "2@114", "3@120"])
    #expect(clock.calls.count == 2)
  }

  @Test func `a deadline that is set anew with a time is adrift no more`() {
    let clock = AdriftClock()
    var input: SignalInput<Int, Never>?
    let heard = Heard(created { input = $0 }.debounce(.milliseconds(10)), on: clock)

    input?.next(1)
    clock.isOutside = false
    clock.present = .milliseconds(50)
    input?.next(2)
    #expect(clock.alarm == .milliseconds(60))
    clock.fire(at: .milliseconds(55))
    input?.next(3)
    clock.fire(at: .milliseconds(58))
    clock.run(until: .milliseconds(200))

    #expect(heard.lines == ["3@68"])
  }

  @Test func `without a time nothing falls due`() {
    let clock = AdriftClock()
    let heard = Heard(.every(.milliseconds(10)), on: clock)
    clock.fire(at: .zero)

    clock.present = .seconds(100)
    let other = Heard(.just(5), on: clock)
    #expect(heard.lines == [])
    #expect(other.lines == ["5@100000"])
    clock.fire()
    #expect(heard.lines == [])
    clock.run(until: .milliseconds(10))
    #expect(heard.lines == ["0@10"])
  }

  @Test func `a timeline and a timeout count from the call, too`() {
    let clock = AdriftClock()
    clock.present = .seconds(3)
    let timeline = Numbers.timeline([
      (.zero, .next(0)), (.milliseconds(5), .next(1)), (.milliseconds(20), .next(2)),
    ])
    let heard = Heard(timeline, on: clock)
    let late = Heard(
      timeline.failing(as: Stop.self).timeout(.milliseconds(10), Stop())
        .catch { _ in .just(-1) }, on: clock)

    clock.fire(at: .milliseconds(40))
    clock.run(until: .milliseconds(100))

    #expect(heard.lines == ["0@40", "1@45", "2@60"])
    #expect(late.lines == ["0@40", "1@45", "-1@55"])
  }

  private struct Stop: Error {}

  @Test func `what is cancelled adrift is gone`() {
    let clock = AdriftClock()
    weak var kept: Heard?
    let others = (0..<3).map { Heard(Numbers.just($0).delay(.milliseconds(1)), on: clock) }
    do {
      let heard = Heard(Numbers.every(.milliseconds(1)), on: clock)
      kept = heard
      heard.run?.cancel()
    }
    others[0].run?.cancel()

    clock.fire(at: .milliseconds(2))
    clock.run(until: .milliseconds(10))

    #expect(kept == nil)
    #expect(others.map(\.lines) == [[], ["1@3"], ["2@3"]])
    #expect(clock.alarm == nil)
  }
}
