// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import MainstemSignals
import MainstemTesting
import Testing

/// A run that has ended holds nothing, and a clock nothing of it.
@Suite("Release")
struct ReleaseTests {
  private final class Token {}

  /// Runs a signal whose closures hold a token, and returns whether the token is left.
  private func isLeft(after duration: Duration?, _ make: (Token) -> Signal<Int, Never>) -> Bool {
    weak var token: Token?
    let clock = VirtualClock()
    do {
      let kept = Token()
      token = kept
      let run = make(kept).startWithValues(on: clock) { [kept] _ in withExtendedLifetime(kept) {} }
      if let duration { clock.advance(by: duration) }
      run.cancel()
    }
    #expect(clock.next == nil)
    return token != nil
  }

  private static func held(_ token: Token, by signal: Signal<Int, Never>) -> Signal<Int, Never> {
    signal.map { value in withExtendedLifetime(token) { value } }
  }

  private static let shapes: [@Sendable (Signal<Int, Never>) -> Signal<Int, Never>] = [
    { $0.take(2) },
    { $0.merge($0).zip($0) { $0 + $1 } },
    { $0.combineLatest($0) { $0 + $1 }.concat($0) },
    { signal in signal.flatMap(.latest) { _ in signal } },
    { signal in signal.flatMap(.concat) { _ in signal } },
    { $0.debounce(.milliseconds(3)).throttle(.milliseconds(3)) },
    { $0.delay(.milliseconds(3)).buffer(time: .milliseconds(5)).map { $0.count } },
    { $0.share() },
    { signal in
      let shared = signal.share()
      return shared.merge(shared)
    },
    { $0.repeat(3).takeUntil($0.delay(.seconds(2))) },
    { (0..<100).reduce($0) { signal, _ in signal.map { $0 } } },
  ]

  @Test(arguments: shapes.indices) func `nothing is left of a run`(index: Int) {
    let shape = Self.shapes[index]
    for duration in [nil, .milliseconds(4), .seconds(10)] as [Duration?] {
      let ended = isLeft(after: duration) {
        shape(Self.held($0, by: .every(.milliseconds(2)).take(3)))
      }
      #expect(!ended)
      let cancelled = isLeft(after: duration) {
        shape(Self.held($0, by: .every(.milliseconds(2))))
      }
      #expect(!cancelled)
      let atOnce = isLeft(after: duration) { shape(Self.held($0, by: .values(0..<5))) }
      #expect(!atOnce)
    }
  }
}
