// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// One run for all who start it: the first start starts the source, and the last one to leave
  /// ends it. Who comes later gets what is sent from then on. After an end the next start begins
  /// anew.
  ///
  /// Each value of it is handled by all, in the order of their starts, before the next one is sent.
  ///
  /// - Returns: The signal.
  public func share() -> Signal {
    let hub = Hub(self)
    return Signal { life, observer in hub.join(Inlet(Life(in: life), observer)) }
  }
}

/// The one run of a shared signal, and those who hear it.
private final class Hub<Value, Failure: Error> {
  private let source: Signal<Value, Failure>
  private var life: Life?
  private var members: [Inlet<Value, Failure>] = []
  private var work: Work?
  // The events to tell, and whom of the members next.
  private var events = Ring<SignalEvent<Value, Failure>>()
  private var listeners: [Inlet<Value, Failure>] = []
  private var told = 0

  init(_ source: Signal<Value, Failure>) { self.source = source }

  func join(_ member: Inlet<Value, Failure>) {
    members.append(member)
    member.life.onEnd { [self] in leave(member) }
    guard life == nil else { return }
    let life = member.life.clock.makeHub()
    self.life = life
    work = Work(life) { [self] in tell() }
    source.branch(life) { [self] event in receive(event) }
  }

  private func leave(_ member: Inlet<Value, Failure>) {
    members.removeAll { $0 === member }
    if members.isEmpty { end() }
  }

  private func end() {
    let ended = life
    (life, work, listeners) = (nil, nil, [])
    events.removeAll()
    // The last to leave may be a run on another clock.
    ended?.cancel()
  }

  private func receive(_ event: SignalEvent<Value, Failure>) {
    guard let life, let work else { return }
    if events.isEmpty {
      begin()
      life.clock.push(work)
    }
    events.append(event)
  }

  private func begin() { (listeners, told) = (members, 0) }

  /// Tells one of them, then all that it brings about comes first.
  private func tell() -> Bool {
    guard let event = events.peek, let life else { return false }
    guard !event.isEnd else {
      close(event, on: life.clock)
      return false
    }
    if told < listeners.count {
      told += 1
      listeners[told - 1].hear(event, from: life.clock)
    } else {
      _ = events.popFirst()
      begin()
    }
    return !events.isEmpty
  }

  /// Who starts it from now on begins anew, also when one of the listeners does so.
  private func close(_ event: SignalEvent<Value, Failure>, on clock: SignalClock) {
    let listeners = members
    members = []
    end()
    for member in listeners {
      clock.push(
        Work(member.life) {
          member.hear(event, from: clock)
          return false
        })
    }
  }
}

extension Inlet {
  /// Hears an event of a run, which may be on another clock of this thread.
  fileprivate func hear(_ event: SignalEvent<Value, Failure>, from clock: SignalClock) {
    guard isOpen else { return }
    if clock === life.clock { pass(event) } else { send(event) }
  }
}
