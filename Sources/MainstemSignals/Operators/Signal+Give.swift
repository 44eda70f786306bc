// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Gives each value to somebody who may have callbacks of the same clock called; fails with what that throws.
  ///
  /// Where the clock has no time, values are given when the turn is over, each one in its order.
  ///
  /// - Parameter body: Gets a value, or throws the failure.
  /// - Returns: A signal that sends the end only.
  package func give<New>(
    _ body: @escaping (Value) throws(Failure) -> Void
  ) -> Signal<New, Failure> {
    fence { life, upstream, observer in
      let outlet = Outlet(life, upstream, body, observer)
      return { outlet.receive($0) }
    }
  }
}

/// What a run gives away, and what is still to be given.
private final class Outlet<Value, New, Failure: Error> {
  private let life: Life
  private let upstream: Life
  private let body: (Value) throws(Failure) -> Void
  private let observer: (SignalEvent<New, Failure>) -> Void
  private var waiting = Ring<Value>()
  private var end: SignalEvent<New, Failure>?

  init(
    _ life: Life, _ upstream: Life, _ body: @escaping (Value) throws(Failure) -> Void,
    _ observer: @escaping (SignalEvent<New, Failure>) -> Void
  ) {
    (self.life, self.upstream, self.body, self.observer) = (life, upstream, body, observer)
  }

  func receive(_ event: SignalEvent<Value, Failure>) {
    // What is upstream may send a value and its end in one step.
    guard !upstream.isEnded else { return }
    switch event {
    case .next(let value): receive(value)
    case .completed: pass(.completed)
    case .failed(let failure): pass(.failed(failure))
    }
  }

  private func receive(_ value: Value) {
    guard life.clock.time < 0 else {
      if let failure = give(value) { fail(failure) }
      return
    }
    waiting.append(value)
    life.clock.leave { [self] in giveNext() }
  }

  /// The end comes behind what waits.
  private func pass(_ end: SignalEvent<New, Failure>) {
    if waiting.isEmpty { observer(end) } else { self.end = end }
  }

  private func giveNext() {
    guard !life.isEnded, let value = waiting.popFirst() else { return }
    if let failure = give(value) {
      life.clock.enter { fail(failure) }
    } else if let end, waiting.isEmpty, !life.isEnded {
      life.clock.enter { observer(end) }
    }
  }

  private func give(_ value: Value) -> Failure? {
    do throws(Failure) {
      try body(value)
      return nil
    } catch {
      return error
    }
  }

  private func fail(_ failure: Failure) {
    waiting.removeAll()
    upstream.end()
    observer(.failed(failure))
  }
}
