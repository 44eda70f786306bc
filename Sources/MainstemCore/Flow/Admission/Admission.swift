// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What an event is, as far as admission cares.
package enum Source {
  /// A send, a post, a request, an answer to a request that was only sent.
  case program
  /// A step of progress.
  case progress
  /// A report of the core's own.
  case report
  /// What a signal handler posted.
  case interrupt

  /// Whether queues that refuse must promise room.
  package func asksQueues(forInbox isForInbox: Bool) -> Bool {
    switch self {
    case .program: true
    // In the inbox no full queue refuses it: the queue may drop it before it is taken in.
    case .progress: !isForInbox
    case .report, .interrupt: false
    }
  }
}

/// What is known of the stream when an event wants to come in.
package struct Conditions {
  package enum Caller {
    /// A callback of the delivery. `isCut`: one more cause would make the cascade too long.
    case callback(isCut: Bool)
    /// Any other call that gives the event its position. `isFree`: nobody delivers, nothing waits, and a send delivers.
    case outside(isFree: Bool)
    /// A call that leaves the event in the inbox.
    case elsewhere
  }

  package let caller: Caller
  /// The room where the event would wait, and what waits there.
  package var room = Limits.Room(events: 0, bytes: 0)
  package var load = (count: 0, bytes: 0)
  /// The stream is fed: it refuses what was refused in the recorded session, and nothing else.
  package var isFed = false
  /// The request's scheduler has as many steps of progress as it may have.
  package var hasAllSteps = false

  package var isInCallback: Bool { if case .callback = caller { true } else { false } }
  package var isForInbox: Bool { if case .elsewhere = caller { true } else { false } }
}

/// Whether an event comes in.
package enum Admission {
  /// Nobody delivers: the caller does.
  case now
  /// It waits, in the stream or in the inbox.
  case waits
  case refused(Lack)
}

/// Decides whether an event comes in (law 9); it knows nothing but its arguments. Every route asks this except those whose
/// room was kept for them: final answers, timers, what comes out of the inbox.
///
/// What the program may send at all is asked before, without a lock: `demandForm`. What is taken, a place in a queue or a
/// position, is taken after: `Stream+Admit.swift`.
@inline(__always)
package func admission(_ size: Int, _ source: Source, _ now: Conditions) -> Admission {
  if case .outside(isFree: true) = now.caller, !now.hasAllSteps { return .now }
  if case .callback(isCut: true) = now.caller, source != .report { return .refused(.causes) }
  guard !now.isFed else { return .waits }
  guard !now.hasAllSteps else { return .refused(.steps) }
  return now.room.fits(size, beside: now.load.count, now.load.bytes)
    ? .waits : .refused(.room)
}
