// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Timers while a stream is fed: none fires, because what they sent is fed. They follow the clock of the events, so
/// that afterwards each has the same time left as it had then.
extension Stream {
  /// Whether a timer may be armed: outside callbacks, or by a callback of the delivery itself. What other callbacks arm
  /// was armed in the recorded session too, and its events are fed.
  var mayArm: Bool {
    guard isFed, let frame = Frame.of(self) else { return true }
    return isIn(.fedInputs) && frame.pointee.holdsDeliveryLock && frame.pointee.event != nil
  }

  /// The time that a deadline armed now counts from.
  var armingTime: Int64 {
    guard isFed else { return clock }
    return Frame.of(self)?.pointee.event.map { Feed.sane($0.pointee.time) } ?? fedClock
  }

  /// The stream is fed from here on: deadlines follow the clock of the events, numbers the seed of the recorded session.
  /// Under both locks.
  package func followFedTime(seed: UInt64, byRegistration: Bool) {
    state.pointee.loop.chance.beginFeed(seed, byRegistration: byRegistration)
    moveDeadlines(from: clock, to: fedClock)
  }

  /// The stream is no longer fed. Under both locks.
  package func followOwnTime() {
    moveDeadlines(from: fedClock, to: clock)
    state.pointee.loop.chance.endFeed(at: position)
  }

  /// Moves all armed deadlines to another clock. Under both locks.
  private func moveDeadlines(from old: Int64, to new: Int64) {
    state.pointee.loop.deadlines.move(by: new &- Feed.sane(old))
  }

  /// Notes that an event of a timer is fed: if that timer is armed here too, it has fired.
  func passTimer(_ event: UnsafeMutablePointer<mainstem_event>) {
    locked {
      guard let timer = armedTimer(of: event) else { return }
      if timer.pointee.period == 0 {
        end(timer)
      } else {
        disarm(Timer.deadline(of: timer))
        rearm(timer, at: Feed.sane(event.pointee.time))
      }
    }
  }

  /// The armed timer that sends an event; if several match, the first that is due.
  private func armedTimer(of event: UnsafeMutablePointer<mainstem_event>) -> Timer.Pointer? {
    var found: Timer.Pointer?
    state.pointee.scopes.each { scope in
      var next = scope.pointee.firstTimer
      while let timer = next {
        next = timer.pointee.next
        // Older timers come after younger ones.
        guard timer.pointee.deadline.isArmed, timer.pointee.sends(event),
          found.map({ timer.pointee.deadline.due <= $0.pointee.deadline.due }) ?? true
        else { continue }
        found = timer
      }
    }
    return found
  }
}

extension Timer {
  /// Whether an event may be one of this timer's. Of marks and secrets only the type is known.
  fileprivate func sends(_ event: UnsafeMutablePointer<mainstem_event>) -> Bool {
    guard event.pointee.type == draft.type else { return false }
    let bare = MAINSTEM_EVENT_MARKED | MAINSTEM_EVENT_WITHHELD | MAINSTEM_EVENT_SECRET
    guard event.pointee.flags & UInt32(bare) == 0 else { return true }
    return event.pointee.origin == draft.origin
      && Bytes(event.pointee.data, Int(event.pointee.size))
        == Bytes(draft.data ?? Draft.nothing, draft.size)
  }
}
