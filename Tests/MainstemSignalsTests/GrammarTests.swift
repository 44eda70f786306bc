// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import MainstemSignals
import MainstemTesting
import Testing

@Suite("Grammar")
struct GrammarTests {
  struct Broken: Error, Equatable {}
  typealias Event = SignalEvent<Int, Broken>

  @Test func `A-53: after next, completed, nothing is heard`() {
    var heard: [Event] = []
    let signal = Signal<Int, Broken>.create { input in
      input.next(1)
      input.completed()
      input.next(2)
      input.failed(Broken())
      #expect(!input.isOpen)
      return nil
    }

    let run = signal.start { heard.append($0) }

    #expect(heard == [.next(1), .completed])
    #expect(run.isEnded)
  }

  @Test func `A-54: nothing starts without an observer, and each start runs the source anew`() {
    var (starts, cancels) = (0, 0)
    let signal = Signal<Int, Never>.create { _ in
      starts += 1
      return { cancels += 1 }
    }
    #expect(starts == 0)

    let runs = (0..<3).map { _ in signal.start { _ in } }

    #expect(starts == 3)
    for run in runs {
      run.cancel()
      run.cancel()
    }
    #expect(cancels == 3)
  }

  @Test func `A-54: shared, three starts are one, and the last to leave cancels it once`() {
    var (starts, cancels) = (0, 0)
    var input: SignalInput<Int, Never>?
    let signal = Signal<Int, Never>.create {
      starts += 1
      input = $0
      return { cancels += 1 }
    }.share()
    #expect(starts == 0)

    let clock = SignalClock()
    var heard: [String] = []
    let runs = (0..<3).map { index in
      signal.startWithValues(on: clock) { heard.append("\(index): \($0)") }
    }
    input?.next(7)

    #expect(starts == 1)
    #expect(heard == ["0: 7", "1: 7", "2: 7"])
    runs[0].cancel()
    runs[2].cancel()
    #expect(cancels == 0)
    input?.next(8)
    #expect(heard.last == "1: 8")
    runs[1].cancel()
    #expect(cancels == 1)
  }

  @Test func `an end calls the cancel function before the observer hears of it`() {
    var log: [String] = []
    let signal = Signal<Int, Never>.create { input in
      input.next(1)
      input.completed()
      return { log.append("let go") }
    }

    let run = signal.start { log.append("\($0)") }

    // Here the source had ended before it returned its function.
    #expect(log == ["next(1)", "completed", "let go"])
    withExtendedLifetime(run) {}
    log = []
    var kept: SignalInput<Int, Never>?
    let later = Signal<Int, Never>.create { input in
      kept = input
      return { log.append("let go") }
    }.start { log.append("\($0)") }
    kept?.completed()
    #expect(log == ["let go", "completed"])
    withExtendedLifetime(later) {}
  }

  @Test func `a run that is released is cancelled`() {
    var cancels = 0
    var run: SignalRun? = Signal<Int, Never>.create { _ in { cancels += 1 } }.start { _ in }
    #expect(run?.isEnded == false)

    run = nil

    #expect(cancels == 1)
  }

  @Test func `a value sent by an observer waits its turn`() {
    var log: [String] = []
    var input: SignalInput<Int, Never>?
    let run = Signal<Int, Never>.create {
      input = $0
      return nil
    }.startWithValues { value in
      log.append("enter \(value)")
      if value < 3 { input?.next(value + 1) }
      log.append("leave \(value)")
    }

    input?.next(1)

    #expect(log == ["enter 1", "leave 1", "enter 2", "leave 2", "enter 3", "leave 3"])
    withExtendedLifetime(run) {}
  }

  @Test func `a signal started by an observer begins after it`() {
    let clock = SignalClock()
    var log: [String] = []
    var inner: SignalRun?
    let run = Signal<Int, Never>.values([1, 2]).startWithValues(on: clock) { value in
      guard inner == nil else { return log.append("outer \(value)") }
      inner = Signal<Int, Never>.just(9).startWithValues(on: clock) { log.append("inner \($0)") }
      log.append("outer \(value)")
    }

    #expect(log == ["outer 1", "inner 9", "outer 2"])
    withExtendedLifetime(run) {}
  }

  @Test func `an observer that cancels its own run hears nothing more`() {
    var heard: [Int] = []
    var input: SignalInput<Int, Never>?
    var run: SignalRun?
    run = Signal<Int, Never>.create {
      input = $0
      return nil
    }.startWithValues { value in
      heard.append(value)
      input?.next(value + 1)
      run?.cancel()
    }

    input?.next(1)

    #expect(heard == [1])
  }

  @Test func `a deferred signal is made at each start`() {
    var made = 0
    let signal = Signal<Int, Never>.deferred {
      made += 1
      return .just(made)
    }
    #expect(made == 0)

    var heard: [Int] = []
    let runs = [signal, signal].map { $0.startWithValues { heard.append($0) } }

    #expect(heard == [1, 2])
    withExtendedLifetime(runs) {}
  }

  @Test func `an operator that throws fails the signal and ends its source`() {
    var (heard, cancels): ([Event], Int) = ([], 0)
    var input: SignalInput<Int, Broken>?
    let run = Signal<Int, Broken>.create {
      input = $0
      return { cancels += 1 }
    }.tryMap { (value) throws(Broken) in
      if value == 2 { throw Broken() }
      return value * 10
    }.start { heard.append($0) }

    for value in 1...3 { input?.next(value) }

    #expect(heard == [.next(10), .failed(Broken())])
    #expect(cancels == 1)
    withExtendedLifetime(run) {}
  }
}

@Suite("Shared")
struct SharedTests {
  struct Broken: Error, Equatable {}

  @Test func `a start of a shared signal after its failure is a new run`() {
    var starts = 0
    let shared = Signal<Int, Broken>.deferred {
      starts += 1
      let start = starts
      return Signal.values([start, start]).delay(.milliseconds(10))
        .concat(start == 1 ? .failed(Broken()) : .never)
    }.share()
    let clock = VirtualClock()
    var (one, other): ([SignalEvent<Int, Broken>], [SignalEvent<Int, Broken>]) = ([], [])
    let runs = [
      shared.retry().start(on: clock) { one.append($0) },
      shared.start(on: clock) { other.append($0) },
    ]

    clock.advance(by: .seconds(1))

    #expect(starts == 2)
    #expect(one == [.next(1), .next(1), .next(2), .next(2)])
    #expect(other == [.next(1), .next(1), .failed(Broken())])
    for run in runs { run.cancel() }
  }
}
