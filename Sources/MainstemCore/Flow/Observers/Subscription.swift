// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
package import Synchronization

/// An observer on the stream.
///
/// The rows of the types point here, and what a call needs comes first. Rows, and so this memory,
/// belong to the deliverer; the lists belong to the lock; `state` is read by the one and
/// written under the other.
package struct Subscription: ~Copyable {
  /// How many more matches it gets, when `call` counts them. First, for the reason that `StreamState`
  /// gives.
  package var remaining: UInt64
  /// 0: live, and every event of its types is for it.
  package let state: Atomic<UInt32>
  /// Its row, when it has just one.
  package var row: UInt32 = 0
  package let function: mainstem_event_fn
  package let userData: UnsafeMutableRawPointer?
  /// The handle it was observed with.
  package let through: OpaquePointer?
  package let call: Call
  package let filter: Filter
  package let release: mainstem_release_fn?
  /// What waits for it; nil: it is called at once.
  package let queue: SubscriptionQueue.Pointer?
  package let scope: UnsafeMutablePointer<Scope>
  package let slot: Slot.Pointer
  /// When it was registered, counted over observers and types.
  package let serial: UInt64
  /// Which one of its scope it is, counted from 1; 0: of none.
  package var number: UInt32 = 0
  /// Its type, where to end it is to take its one row away: it has no hook, and is no handler.
  package var observers: UnsafeMutablePointer<TypeObservers>?
  /// It starts after this position.
  package var from: UInt64 = 0
  package let failures = Atomic<UInt64>(0)
  /// How long its calls take; nil where nobody wants to know.
  package let timing: Timing.Pointer?
  /// Its rows are in place; until then it waits in the queue for its turn.
  package var hasJoined = false
  /// A place in a queue points here, so the memory stays when all else has ended.
  package var isQueued = false
  /// Its handle has ended; only that place still points here.
  package var slotHasEnded = false

  package var previous: Pointer?
  package var next: Pointer?
  package var previousInScope: Pointer?
  package var nextInScope: Pointer?
  /// Among its like: the patterns of the stream, or the live handlers of its type.
  package var previousAlike: Pointer?
  package var nextAlike: Pointer?
  package var nextCancelled: Pointer?
  /// The next whose queue refuses what is too much and that waits for its turn to join.
  package var nextJoiner: Pointer?

  package typealias Pointer = UnsafeMutablePointer<Subscription>

  /// Bits of `state`.
  package static var cancelled: UInt32 { 1 }
  /// `call` has conditions.
  package static var conditional: UInt32 { 2 }
  /// A handler of a stream that is fed all: not called.
  package static var muted: UInt32 { 4 }

  /// What is tested, or done, at each call beside calling. One word: a struct of truth values would be
  /// taken apart bit by bit wherever it is copied.
  package struct Call {
    private var bits: UInt32 = 0

    package init() {}

    package enum Outcome: UInt32 {
      case any = 0
      case failed = 1
      case succeeded = 2
    }

    /// Only failed responses, or only what succeeded.
    package var wants: Outcome {
      get { Outcome(rawValue: bits & 3) ?? .any }
      set { bits = bits & ~3 | newValue.rawValue }
    }
    package var counts: Bool {
      get { bits & 4 != 0 }
      set { set(4, newValue) }
    }
    package var confirms: Bool {
      get { bits & 8 != 0 }
      set { set(8, newValue) }
    }
    package var isHandler: Bool {
      get { bits & 16 != 0 }
      set { set(16, newValue) }
    }
    /// A row of the core's own: called behind all observers, and no delivery.
    package var isInner: Bool {
      get { bits & 32 != 0 }
      set { set(32, newValue) }
    }
    /// It wants no late events.
    package var skipsHistory: Bool {
      get { bits & 64 != 0 }
      set { set(64, newValue) }
    }

    /// It is not called at once: its scheduler calls it.
    package var isScheduled: Bool {
      get { bits & 128 != 0 }
      set { set(128, newValue) }
    }

    /// Its calls are timed.
    package var isTimed: Bool {
      get { bits & 256 != 0 }
      set { set(256, newValue) }
    }

    package var wantsHistory: Bool { bits & (32 | 64) == 0 }
    /// Its scheduler calls it for every event.
    package var isPlainlyScheduled: Bool { bits & (7 | 16 | 32 | 128) == 128 }
    package var isConditional: Bool { bits & (15 | 128 | 256) != 0 }

    private mutating func set(_ bit: UInt32, _ isOn: Bool) {
      bits = isOn ? bits | bit : bits & ~bit
    }
  }

  package init(
    _ options: Options, queue: SubscriptionQueue.Pointer?, timing: Timing.Pointer? = nil,
    through: OpaquePointer?,
    scope: UnsafeMutablePointer<Scope>, slot: Slot.Pointer, serial: UInt64
  ) {
    state = Atomic(options.call.isConditional ? Subscription.conditional : 0)
    function = options.function
    userData = options.userData
    self.through = through
    call = options.call
    filter = options.filter
    release = options.release
    self.queue = queue
    self.timing = timing
    self.scope = scope
    self.slot = slot
    self.serial = serial
    remaining = options.count
  }

  /// What a host asks for when it observes.
  package struct Options {
    package let function: mainstem_event_fn
    package let userData: UnsafeMutableRawPointer?
    package var release: mainstem_release_fn?
    package var filter: Filter
    package var call = Call()
    /// The number of matches after which it ends; 0: no end.
    package var count: UInt64 = 0
    /// Where it is to be called, if not at once, and how much may wait for it.
    package var scheduler: UInt32 = 0
    /// It has no function: what waits for it is fetched.
    package var isMailbox = false
    package var bounds = SubscriptionQueue.Bounds(events: 0, bytes: 0, policy: .reject)

    package init(
      _ function: mainstem_event_fn, _ userData: UnsafeMutableRawPointer?,
      _ release: mainstem_release_fn?, _ filter: Filter
    ) {
      self.function = function
      self.userData = userData
      self.release = release
      self.filter = filter
    }
  }
}

/// Those that end together: the last registered ends first.
extension Subscription: Linked {
  package var link: Pointer? {
    get { nextCancelled }
    set { nextCancelled = newValue }
  }

  package func precedes(_ other: borrowing Subscription) -> Bool { serial > other.serial }
}

extension Subscription {
  /// Frees what only it has.
  package static func freeParts(_ subscription: Pointer) {
    subscription.pointee.filter.free()
    if let queue = subscription.pointee.queue { Scheduler.end(queue) }
    Memory.free(subscription.pointee.timing)
  }

  /// Whether its conditions let it have an event of this status.
  func isFor(_ status: Int32) -> Bool {
    let ended = Subscription.cancelled | Subscription.muted
    guard state.load(ordering: .relaxed) & ended == 0 else { return false }
    return switch call.wants {
    case .any: true
    case .failed: status != 0
    case .succeeded: status == 0
    }
  }

  /// Counts a failed call, on the thread that calls it; how many those are now.
  package static func countFailure(_ subscription: Pointer) -> UInt64 {
    if let queue = subscription.pointee.queue {
      return queue.pointee.failures.wrappingAdd(1, ordering: .relaxed).newValue
    }
    return subscription.pointee.failures.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Whether senders are told when its queue is full.
  package var refuses: Bool { queue?.pointee.bounds.policy.refuses ?? false }

  /// Whether it has been cancelled, read from any thread.
  @inline(__always)
  package static func isCancelled(_ subscription: Pointer) -> Bool {
    subscription.pointee.state.load(ordering: .relaxed) & cancelled != 0
  }
}
