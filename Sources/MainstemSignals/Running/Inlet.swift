// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Where events that nobody here steps come in: of an input, a port, something shared.
@usableFromInline final class Inlet<Value, Failure: Error> {
  @usableFromInline let life: Life
  @exclusivity(unchecked) @usableFromInline var observer: ((SignalEvent<Value, Failure>) -> Void)?
  @exclusivity(unchecked) @usableFromInline var waiting = Ring<SignalEvent<Value, Failure>>()
  @exclusivity(unchecked) @usableFromInline var hasEnded = false
  /// Its start function is running: what it sends comes at once.
  @exclusivity(unchecked) @usableFromInline var isStarting = false

  @inlinable init(
    _ life: Life, _ observer: @escaping (SignalEvent<Value, Failure>) -> Void
  ) {
    self.life = life
    self.observer = observer
    life.onEnd { [self] in
      self.observer = nil
      waiting.removeAll()
    }
  }

  /// Whether an event that is sent now may still arrive.
  @inlinable var isOpen: Bool { !hasEnded && !life.isEnded }

  @inlinable func send(_ event: SignalEvent<Value, Failure>) {
    guard isOpen else { return }
    hasEnded = event.isEnd
    let clock = life.clock
    if !clock.isRunning {
      clock.enter { pass(event) }
    } else if isStarting, waiting.isEmpty {
      let mark = clock.stack.count
      clock.step { pass(event) }
      clock.drain(above: mark)
    } else {
      waiting.append(event)
      clock.inbox.append(
        Work(life) { [self] in
          if let event = waiting.popFirst() { pass(event) }
          return false
        })
    }
  }

  /// Passes an event on, in a step of its clock.
  @inlinable func pass(_ event: SignalEvent<Value, Failure>) {
    let observer = observer
    if event.isEnd { life.end() }
    observer?(event)
  }

  /// Runs a start function, which returns what is to be done in the end.
  @inlinable func start(_ body: () -> (() -> Void)?) {
    isStarting = true
    let cancel = body()
    isStarting = false
    if let cancel { life.onEnd(cancel) }
  }
}
