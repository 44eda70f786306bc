// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Calling observers: what the deliverer does with an event.
extension Stream {
  /// Calls every observer of an event, in order of registration.
  ///
  /// - Parameter first: The first row that is called.
  @inline(__always)
  package func deliver(
    _ event: UnsafeMutablePointer<mainstem_event>, _ observers: TypeObservers.Pointer,
    from first: UInt32 = 0
  ) {
    let count = observers.pointee.count
    guard count > first else { return }
    // A type with a row count has rows.
    let all = observers.pointee.rows.unsafelyUnwrapped
    let (rows, end) = (all + Int(first), all + Int(count))
    Frame.enter(self, event, rows) { frame in
      while true {
        let row = frame.pointee.current.unsafelyUnwrapped.pointee
        if row.pointee.state.load(ordering: .relaxed) == 0 {
          call(row, event)
        } else {
          callUnusual()
        }
        let current = frame.pointee.current.unsafelyUnwrapped + 1
        // After the last row, whoever releases the delivery lock looks.
        if current == end { break }
        frame.pointee.current = current
        if !isUndisturbed, !endsCancelled() { break }
      }
    }
  }

  /// The function of a type's caller: calls the observers of the event's origin, in order of registration, in the frame
  /// that the delivery has for the type.
  @_optimize(speed)
  static func callOriginObservers(
    _ observers: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
  ) {
    guard let observers = observers?.assumingMemoryBound(to: TypeObservers.self),
      let frame = Frame.innermost, let event = frame.pointee.event,
      let origins = observers.pointee.origins
    else { return }
    let stream = frame.pointee.stream
    // The look-up was counted as a call.
    stream.state.pointee.delivery.add(calls: ~0)
    let caller = frame.pointee.current
    OriginObservers.walk(origins, of: event.pointee.origin) { row in
      let subscription = row.pointee.subscription
      frame.pointee.go(to: OriginRow.place(of: row))
      if subscription.pointee.state.load(ordering: .relaxed) == 0 {
        stream.call(subscription, event)
      } else {
        stream.callConditional(frame)
      }
      // The row may go now.
      frame.pointee.go(to: caller)
      return stream.isUndisturbed || stream.endsCancelled()
    }
  }

  /// Delivers a kept event to an observer that joined late.
  func deliverLate(
    _ event: UnsafeMutablePointer<mainstem_event>, to subscription: Subscription.Pointer
  ) {
    var row = subscription
    withUnsafeMutablePointer(to: &row) { rows in
      Frame.enter(self, event, rows) { frame in
        if subscription.pointee.state.load(ordering: .relaxed) == 0 {
          call(subscription, event)
        } else {
          callConditional(frame)
        }
      }
    }
  }

  /// Like `attendObservers`, between two calls; false: there are no more calls.
  @inline(never)
  private func endsCancelled() -> Bool {
    attendObservers(between: false)
    return !isForked
  }

  @inline(__always)
  private func call(_ row: Subscription.Pointer, _ event: UnsafeMutablePointer<mainstem_event>) {
    event.pointee.context = row.pointee.through
    state.pointee.delivery.add(calls: 1)
    row.pointee.function(row.pointee.userData, event)
  }

  /// Calls an observer among the rows that is not a plain one.
  ///
  /// If its server shows, the row that pays is behind it. Directly behind it, it is passed by.
  @inline(never)
  private func callUnusual() {
    guard let frame = Frame.innermost else { return }
    let current = frame.pointee.current.unsafelyUnwrapped
    let row = current.pointee
    guard row.pointee.state.load(ordering: .relaxed) == Subscription.shows,
      deliverer.pointee.shows.first == nil, let event = frame.pointee.event,
      let show = row.pointee.scope.pointee.show
    else { return callConditional(frame) }
    call(row, event)
    if current[1] == state.pointee.payer, event.pointee.reply == 0, isUndisturbed,
      payAtOnce(show, in: frame)
    {
      frame.pointee.go(to: current + 1)
    } else {
      // Before what its callback owes: servers that it has added.
      deliverer.pointee.shows.prepend(show)
    }
  }

  /// Calls the observer of a frame if its conditions hold.
  @inline(never)
  private func callConditional(_ frame: UnsafeMutablePointer<Frame>) {
    guard let event = frame.pointee.event, let row = frame.pointee.row,
      !row.pointee.call.isScheduled, row.pointee.isFor(event.pointee.status, event.pointee.flags)
    else { return }
    if row.pointee.call.shows { deliverer.pointee.owe(row.pointee.scope.pointee.show) }
    state.pointee.delivery.add(calls: 1)
    let isWhole = row.pointee.isNew(to: event)
    if isWhole { event.pointee.flags |= UInt32(MAINSTEM_EVENT_WHOLE) }
    call(row, event, in: frame)
    if isWhole { event.pointee.flags &= ~UInt32(MAINSTEM_EVENT_WHOLE) }
    guard row.pointee.call.counts else { return }
    row.pointee.remaining &-= 1
    if row.pointee.remaining == 0 { endAfterLast(row) }
  }

  /// Calls an observer in a frame of its own: takes the time if that is wanted, and fails a call that was to confirm
  /// and did not.
  private func call(
    _ row: Subscription.Pointer, _ event: UnsafeMutablePointer<mainstem_event>,
    in frame: UnsafeMutablePointer<Frame>
  ) {
    event.pointee.context = row.pointee.through
    row.pointee.timing?.pointee.begin()
    row.pointee.function(row.pointee.userData, event)
    row.pointee.timing?.pointee.end()
    if row.pointee.call.confirms, !frame.pointee.isConfirmed {
      fail(in: frame, Status.incomplete.rawValue, FailureReport.incomplete)
    }
  }
}

/// Scheduled observers.
extension Stream {
  /// Calls an observer on its scheduler. The callback gets its own copy of the event: others read the same event.
  ///
  /// - Parameters:
  ///   - isGap: Whether the event says only that others were lost.
  ///   - isLast: Whether it is the last that the observer asked for.
  /// - Returns: False if the observer has been cancelled.
  package func callScheduled(
    _ subscription: Subscription.Pointer, _ shared: mainstem_event, isGap: Bool = false,
    isLast: Bool = false
  ) -> Bool {
    guard !Subscription.isCancelled(subscription) else { return false }
    if !isGap { subscription.pointee.queue?.pointee.countDelivered() }
    state.pointee.delivery.countScheduled()
    var (event, row) = (shared, subscription)
    let isLoss = isGap && subscription.pointee.call.failsForGaps
    withUnsafeMutablePointer(to: &event) { event in
      withUnsafeMutablePointer(to: &row) { row in
        Frame.enterScheduled(self, event, row) { frame in
          if isLoss { failForGap(in: frame) } else { call(subscription, event, in: frame) }
        }
      }
    }
    if isLast, !isForked { endAfterLastScheduled(subscription) }
    return true
  }

  /// What a handler, or a row of a binding, lost counts as a failed call.
  private func failForGap(in frame: UnsafeMutablePointer<Frame>) {
    if case .one(let type) = frame.pointee.row?.pointee.filter {
      frame.pointee.event?.pointee.type = type
    }
    fail(in: frame, Status.full.rawValue, FailureReport.lost)
  }

  /// Visits the observers whose queue refuses and that will get an event, among them those that will have joined when it
  /// has its turn; until `visit` returns false. Under the lock.
  package func eachRefuser(
    _ draft: Draft, _ observers: TypeObservers.Pointer,
    _ visit: (Subscription.Pointer, SubscriptionQueue.Pointer) -> Bool
  ) {
    func visitIfRefuses(_ row: Subscription.Pointer) -> Bool {
      // The queue of a cancelled observer may be gone.
      guard row.pointee.isFor(draft.status, draft.flags), row.pointee.refuses,
        let queue = row.pointee.queue
      else {
        return true
      }
      return visit(row, queue)
    }
    var index = 0
    while let rows = observers.pointee.rows, index < Int(observers.pointee.count) {
      guard visitIfRefuses(rows[index]) else { return }
      index &+= 1
    }
    guard observers.pointee.origins?.pointee.all(of: draft.origin, visitIfRefuses) ?? true else {
      return
    }
    _ = state.pointee.observers.joiners.all { joiner in
      // A cancelled joiner's filter may be gone. If the type was registered after the joiner, the joiner already has
      // its row.
      guard !Subscription.isCancelled(joiner), observers.pointee.serial < joiner.pointee.serial,
        joiner.pointee.looks(at: draft.origin), covers(joiner.pointee.filter, draft.type)
      else { return true }
      return visitIfRefuses(joiner)
    }
  }
}

extension Observers {
  /// Whether queues are asked for room before an event is accepted: those of its type's observers, and of observers
  /// that will have joined when it has its turn.
  @inline(__always)
  package func asksForRoom(_ observers: TypeObservers.Pointer) -> Bool {
    observers.pointee.refusers.load(ordering: .relaxed) != 0
      || !joiners.isEmpty
  }
}

// MARK: - What each call tests

extension Subscription {
  /// What each call tests or does besides calling. One word: the compiler would take a struct of `Bool`s apart bit by
  /// bit wherever it is copied. A property for each bit: what asks for one reads as English, unlike `contains`.
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
    var isHandler: Bool {
      get { bits & 16 != 0 }
      set { set(16, newValue) }
    }
    /// An internal row: called behind all observers, and not counted as a delivery.
    var isInner: Bool {
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
    var isTimed: Bool {
      get { bits & 256 != 0 }
      set { set(256, newValue) }
    }

    /// It gets only what is sent through one scope.
    package var isOfOneOrigin: Bool {
      get { bits & 512 != 0 }
      set { set(512, newValue) }
    }

    /// It gets only what views wrote.
    package var wantsWritten: Bool {
      get { bits & 4096 != 0 }
      set { set(4096, newValue) }
    }

    /// It is not made for gaps: what it lost counts as a failed call.
    package var failsForGaps: Bool {
      get { bits & (16 | 8192) != 0 }
      set { set(8192, newValue) }
    }

    /// It is a handler that changes no value of its server.
    var isFetch: Bool {
      get { bits & 16384 != 0 }
      set { set(16384, newValue) }
    }

    /// It is a handler that is not only for what its own server sends.
    var isForOthers: Bool {
      get { bits & 32768 != 0 }
      set { set(32768, newValue) }
    }

    /// Its server shows, and does so after each of its calls.
    var shows: Bool {
      get { bits & 1024 != 0 }
      set { set(1024, newValue) }
    }

    /// It is a server's show function.
    var isShow: Bool {
      get { bits & 2048 != 0 }
      set { set(2048, newValue) }
    }

    /// A view shows what others say: that is no step of its server.
    package var isOfView: Bool {
      get { bits & 65536 != 0 }
      set { set(65536, newValue) }
    }

    /// It is a handler that says that others handle its type, too.
    var isOneOfSeveral: Bool {
      get { bits & 131072 != 0 }
      set { set(131072, newValue) }
    }

    /// It is a handler of what is sent through its server's scope, and nothing else.
    var isOnlyOwn: Bool { bits & (16 | 512 | 32768) == 16 | 512 }

    /// What tells apart those that draw numbers: the same wherever the program registers it again, in whichever language.
    var kind: UInt64 { UInt64(bits & (16 | 32 | 128 | 512 | 2048 | 4096 | 65536)) }

    /// A handler of what is sent through its server's scope.
    var isOwnHandler: Bool { bits & (16 | 512) == 16 | 512 }
    var wantsHistory: Bool { bits & (32 | 64) == 0 }
    /// Its scheduler calls it for every event.
    var isPlainlyScheduled: Bool { bits & (7 | 16 | 32 | 128 | 4096) == 128 }
    var isConditional: Bool { bits & (15 | 64 | 128 | 256 | 4096) != 0 }

    private mutating func set(_ bit: UInt32, _ isOn: Bool) {
      bits = isOn ? bits | bit : bits & ~bit
    }
  }
}

/// How long the calls of one subscription took. Written by the thread that calls it, one at a time; any thread reads
/// it.
package struct Timing: ~Copyable {
  let calls = Atomic<UInt64>(0)
  let total = Atomic<UInt64>(0)
  let longest = Atomic<UInt64>(0)
  /// When the current call began; 0: there is none.
  private let begun = Atomic<Int64>(0)

  package typealias Pointer = UnsafeMutablePointer<Timing>

  init() {}

  static func make() -> Pointer? {
    guard let timing = Memory.allocate(Timing.self) else { return nil }
    timing.initialize(to: Timing())
    return timing
  }

  func begin() { begun.store(mainstem_p_monotonic(), ordering: .relaxed) }

  func end() {
    let taken = UInt64(clamping: mainstem_p_monotonic() &- begun.load(ordering: .relaxed))
    begun.store(0, ordering: .relaxed)
    calls.store(calls.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    total.store(total.load(ordering: .relaxed) &+ taken, ordering: .relaxed)
    if taken > longest.load(ordering: .relaxed) { longest.store(taken, ordering: .relaxed) }
  }

  /// How long the current call has taken so far, at least 1; 0: there is none.
  var current: UInt64 {
    let begun = begun.load(ordering: .relaxed)
    return begun == 0 ? 0 : max(1, UInt64(clamping: mainstem_p_monotonic() &- begun))
  }
}
