// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Where the events of a long chain wait for their turn on the clock's stack.
@usableFromInline final class Relay<Value, Failure: Error> {
  /// Nobody, once the run has ended.
  @usableFromInline var observer: ((SignalEvent<Value, Failure>) -> Void)?
  @usableFromInline var waiting = Ring<SignalEvent<Value, Failure>>()
  @usableFromInline var work: Work?
  @usableFromInline let life: Life

  @inlinable init(_ life: Life, _ observer: @escaping (SignalEvent<Value, Failure>) -> Void) {
    self.life = life
    self.observer = observer
    // A circle, until the run ends.
    work = Work(life) { [self] in pass() }
    life.onEnd { [self] in (work, self.observer) = (nil, nil) }
  }

  @inlinable func receive(_ event: SignalEvent<Value, Failure>) {
    guard let work else { return }
    if waiting.isEmpty { life.clock.push(work) }
    waiting.append(event)
  }

  @inlinable func pass() -> Bool {
    guard let event = waiting.popFirst() else { return false }
    observer?(event)
    return !waiting.isEmpty
  }
}
