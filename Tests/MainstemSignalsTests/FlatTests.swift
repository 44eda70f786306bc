// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import MainstemSignals
import MainstemTesting
import Testing

/// Nothing recurses, in depth or in length: the stack is as deep for a thousand operators as for a few.
@Suite("Flat")
struct FlatTests {
  typealias Numbers = Signal<Int, Never>
  // A debug build takes ten times as long.
  private let many = _isDebugAssertConfiguration() ? 100_000 : 1_000_000

  /// How much of the stack is used below this call when the signal's observer is called.
  private func used(_ signal: Numbers) -> (bytes: Int, values: Int) {
    var mark = 0
    let top = withUnsafePointer(to: &mark) { Int(bitPattern: $0) }
    var (deepest, values) = (0, 0)
    let run = signal.startWithValues { _ in
      var place = 0
      deepest = max(deepest, withUnsafePointer(to: &place) { top - Int(bitPattern: $0) })
      values += 1
    }
    withExtendedLifetime(run) {}
    return (deepest, values)
  }

  private func chain(_ count: Int, of signal: Numbers) -> Numbers {
    (0..<count).reduce(signal) { signal, _ in signal.map { $0 &+ 1 } }
  }

  @Test func `a thousand operators need no deeper stack than a hundred`() {
    let short = used(chain(100, of: .values(0..<1000)))
    let long = used(chain(1000, of: .values(0..<1000)))

    #expect(long.values == 1000)
    // They end at different places between two cuts.
    #expect(abs(long.bytes - short.bytes) < 10_000)
    #expect(long.bytes < 50_000)
  }

  @Test func `a chain of 10^5 operators is made, run and released`() {
    let use = used(chain(100_000, of: .values(0..<3)))

    #expect(use.values == 3)
    #expect(use.bytes < 50_000)
  }

  @Test func `a thousand operators that may end their source, or wait, are flat`() {
    let ending = (0..<1000).reduce(Numbers.values(0..<10)) { signal, _ in signal.take(9) }
    let waiting = (0..<1000).reduce(Numbers.values(0..<10)) { signal, _ in
      signal.throttle(.zero)
    }
    for (signal, count) in [(ending, 9), (waiting, 2)] {
      let use = used(signal)
      #expect(use.values == count)
      #expect(use.bytes < 50_000)
    }
  }

  @Test func `a source of 10^6 values needs no deeper stack than one of one`() {
    let one = used(chain(10, of: .just(1)))
    let all = used(chain(10, of: .values(0..<many)))

    #expect(all.values == many)
    #expect(all.bytes <= one.bytes + 256)
  }

  @Test func `flatMap over synchronous signals is flat`() {
    for policy in [FlatMapPolicy.merge, .latest, .concat] {
      let one = used(Numbers.just(1).flatMap(policy) { .just($0) })
      let all = used(Numbers.values(0..<many / 10).flatMap(policy) { .just($0) })
      #expect(all.values == many / 10)
      #expect(all.bytes <= one.bytes + 256)
    }
  }

  @Test func `10^6 repetitions are flat`() {
    let once = used(Numbers.just(1).repeat(2))
    let all = used(Numbers.just(1).repeat(many))

    #expect(all.values == many)
    #expect(all.bytes <= once.bytes + 256)
  }

  @Test func `10^6 retries are flat`() {
    struct Broken: Error {}
    let many = many
    var tries = 0
    var mark = 0
    let top = withUnsafePointer(to: &mark) { Int(bitPattern: $0) }
    var depths: [Int] = []
    let run = Signal<Int, Broken>.deferred {
      tries += 1
      var place = 0
      let depth = withUnsafePointer(to: &place) { top - Int(bitPattern: $0) }
      if tries == 2 || tries > many { depths.append(depth) }
      return tries > many ? .just(tries) : .failed(Broken())
    }.retry().start { _ in }

    #expect(depths.count == 2)
    #expect(depths.last == depths.first)
    withExtendedLifetime(run) {}
  }

  @Test func `a chain of concatenations and of merges is flat`() {
    let ones = (0..<1000).reduce(Numbers.just(1)) { signal, _ in signal.concat(.just(1)) }
    let merged = (0..<1000).reduce(Numbers.just(1)) { signal, _ in signal.merge(.just(1)) }

    for signal in [ones, merged] {
      let use = used(signal)
      #expect(use.values == 1001)
      #expect(use.bytes < 100_000)
    }
  }

  @Test func `take ends an endless source behind a long chain at once`() {
    var taken = 0
    let endless = Numbers.values(sequence(first: 0) { $0 + 1 }).map {
      taken = $0
      return $0
    }
    let use = used(chain(200, of: endless).take(5))

    #expect(use.values == 5)
    #expect(taken == 4)
  }

  @Test func `what a start function sends at once passes through a long chain at once`() {
    var open: [Bool] = []
    let signal = Numbers.create { input in
      for value in 0..<4 {
        input.next(value)
        open.append(input.isOpen)
      }
      return nil
    }
    let use = used(chain(200, of: signal).take(2))

    #expect(use.values == 2)
    #expect(open == [true, false, false, false])
  }
}
