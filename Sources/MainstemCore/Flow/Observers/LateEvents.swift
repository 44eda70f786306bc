// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Histories: declared by a host, written by a row behind all observers, read when an observer joins.
extension Stream {
  /// Keeps the last events of a type from now on; a count of 0 ends the history.
  package static func keepHistory(
    _ handle: Handle, _ type: UInt32, count: Int, maxAgeMs: Int64
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.changing(handle)
    let stream = resolved.stream
    guard count <= History.largestLimit, count >= 0 else {
      throw Refusal(.tooBig, "count", "is over 16,777,216")
    }
    guard maxAgeMs >= 0 else { throw Refusal(.invalid, "max_age_ms", "is negative") }
    // How a type is kept is part of the type, so it takes the right to register it.
    try resolved.demand(.register, of: type)
    try stream.fulfilling { duty throws(Refusal) in
      try resolved.locked { () throws(Refusal) in
        try stream.checkHistory(of: type)
        let known = stream.history(of: type)
        guard count > 0 else {
          if let known { duty = stream.endHistory(known) }
          return
        }
        let bounds = History.Options(UInt32(count), UInt64(maxAgeMs))
        guard let known else { return try stream.addHistory(of: type, bounds, &duty) }
        duty = stream.rebound(known, bounds)
      }
    }
  }

  /// Fulfills what a step leaves to do, also if it fails.
  private func fulfilling(_ step: (inout Duty) throws(Refusal) -> Void) throws(Refusal) {
    var duty = Duty.nothing
    do throws(Refusal) {
      try step(&duty)
    } catch {
      fulfill(duty)
      throw error
    }
    fulfill(duty)
  }

  /// The history of a type. Under the lock.
  func history(of type: UInt32) -> History.Pointer? {
    state.pointee.observers.histories.first { $0.pointee.type == type }
  }

  /// How much is kept of a type; 0 and 0 for a type without a history. Under the lock.
  package func historyBounds(of type: UInt32) -> (count: UInt32, maxAgeMs: UInt64) {
    guard let history = history(of: type) else { return (0, 0) }
    return (
      history.pointee.limit.load(ordering: .relaxed),
      history.pointee.maxAgeMs.load(ordering: .relaxed)
    )
  }

  private func checkHistory(of type: UInt32) throws(Refusal) {
    guard let entry = state.pointee.types[type] else { throw .noType(type) }
    guard entry.contract.role != .request else {
      throw Refusal(
        .invalid, "type", "is a request: keep the history of its response",
        .name(entry.name.bytes))
    }
    guard !entry.contract.isValue else {
      throw Refusal(
        .invalid, "type", "is a value: its last event of each scope is kept already",
        .name(entry.name.bytes))
    }
    guard !entry.contract.isSecret else {
      throw Refusal(
        .invalid, "type", "is a secret, and secrets have no history: ask for it with a request",
        .name(entry.name.bytes))
    }
  }

  /// Begins a history. Under the lock.
  ///
  /// - Parameter duty: What is left to do after unlocking, also if it fails.
  private func addHistory(
    of type: UInt32, _ bounds: History.Options, _ duty: inout Duty
  ) throws(Refusal) {
    guard let root = state.pointee.scopes.root, let history = History.make(of: type) else {
      throw .noMemory
    }
    history.pointee.bound(bounds)
    var options = Subscription.Options(keepLate, history, freeHistory, .one(type))
    options.call.isInner = true
    var registration = Registration()
    do throws(Refusal) {
      _ = try register(options, root, .none, &registration)
      history.pointee.recorder = registration.first
      try join(&registration, &duty)
      // Before the lock is released: whoever observes from then on looks for it.
      state.pointee.observers.histories.add(history)
    } catch {
      _ = History.free(history)
      throw error
    }
  }

  /// Gives a history new bounds. Under the lock.
  private func rebound(_ history: History.Pointer, _ bounds: History.Options) -> Duty {
    history.pointee.rebound(bounds, at: clockMs)
    ask(for: Attention.bounds)
    return claimDelivery()
  }

  /// Ends a history. Under the lock.
  private func endHistory(_ history: History.Pointer) -> Duty {
    guard let recorder = history.pointee.recorder else { return .nothing }
    state.pointee.observers.histories.remove(history)
    markCancelled(recorder)
    return claimDelivery()
  }
}

/// New bounds: applied between two events.
extension Stream {
  /// Applies all new bounds to their histories. For the deliverer, while no late event is being delivered.
  @inline(__always)
  func applyBounds() {
    if isAsked(for: Attention.bounds) { applyAllBounds() }
  }

  @inline(never)
  private func applyAllBounds() {
    while let (history, change) = locked({ takeChange() }) {
      state.pointee.observers.histories.count(kept: 0 &- history.pointee.apply(change), lost: 0)
    }
  }

  /// The next history with new bounds; nil if none is left. Under the lock.
  private func takeChange() -> (History.Pointer, History.Change)? {
    endAsking(for: Attention.bounds)
    var change: History.Change?
    let history = state.pointee.observers.histories.first { history in
      change = history.pointee.takeChange()
      return change != nil
    }
    guard let history, let change else { return nil }
    return (history, change)
  }
}

/// Late events: what an observer gets before the stream.
extension Stream {
  /// What comes late: an event of a history, which stays as it is while the deliverer delivers nothing else, or a value,
  /// whose payload does.
  enum Late {
    case history(QueuedEvent.Pointer)
    case value(mainstem_event)
  }

  /// How far an observer has come with its late events.
  struct LateWalk {
    var position: UInt64 = 0
    /// When it joined: events that were too old then are left out.
    fileprivate let now: UInt64

    init(_ stream: Stream) { now = stream.clockMs }
  }

  /// Whether anything may be kept for anybody. Under the lock.
  @inline(__always)
  var mayHaveLate: Bool {
    !state.pointee.observers.histories.isEmpty || values.pointee.areUsed
  }

  /// Whether anything may be kept for an observer that joins. Under the lock.
  @inline(__always)
  func hasHistory(for subscription: Subscription.Pointer) -> Bool {
    mayHaveLate && isKept(for: subscription)
  }

  @inline(never)
  private func isKept(for subscription: Subscription.Pointer) -> Bool {
    guard subscription.pointee.call.wantsHistory else { return false }
    // A server's own, which looks at nothing: else each further server would cost a walk through all values.
    if case .nothing = subscription.pointee.filter { return false }
    if hasValues(for: subscription) { return true }
    let kept = state.pointee.observers.histories.first { history in
      covers(subscription.pointee.filter, history.pointee.type)
    }
    return kept != nil
  }

  /// The next late event of an observer: of all its types, the one with the lowest position. For the deliverer.
  func nextLate(of subscription: Subscription.Pointer, _ walk: inout LateWalk) -> Late? {
    applyBounds()
    var earliest: QueuedEvent.Pointer?
    var late: Late?
    let position = locked { () -> UInt64 in
      state.pointee.observers.histories.each { history in
        guard covers(subscription.pointee.filter, history.pointee.type),
          let queued = history.pointee.first(
            after: walk.position, at: walk.now, for: subscription)
        else { return }
        if let known = earliest, known.pointee.event.position < queued.pointee.event.position {
          return
        }
        earliest = queued
      }
      let position = earliest?.pointee.event.position ?? .max
      late = earliest.map { .history($0) }
      guard let value = nextLateValue(of: subscription, after: walk.position),
        value.pointee.position < position
      else { return position }
      late = .value(value.pointee.lateEvent)
      return value.pointee.position
    }
    guard position <= subscription.pointee.from else { return nil }
    walk.position = position
    return late
  }

  func covers(_ filter: Filter, _ type: UInt32) -> Bool {
    switch filter {
    case .nothing: return false
    case .one(let one): return one == type
    case .several(let types, let count):
      var index = 0
      while index < count, types[index] < type { index &+= 1 }
      return index < count && types[index] == type
    case .pattern(let pattern): return pattern.matches(contract(of: type))
    }
  }
}

/// The recorder's function. Not a delivery: no observer is called.
private func keepLate(
  _ history: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let history = history?.assumingMemoryBound(to: History.self), let event,
    let stream = Frame.innermost?.pointee.stream
  else { return }
  stream.state.pointee.delivery.add(calls: 0 &- 1)
  stream.applyBounds()
  let hasAge = history.pointee.maxAgeMs.load(ordering: .relaxed) != 0
  let (change, lost) = history.pointee.keep(event, at: hasAge ? stream.clockMs : 0)
  stream.state.pointee.observers.histories.count(kept: change, lost: lost)
}

private func freeHistory(_ history: UnsafeMutableRawPointer?) {
  guard let history = history?.assumingMemoryBound(to: History.self) else { return }
  let count = History.free(history)
  Frame.innermost?.pointee.stream.state.pointee.observers.histories.count(kept: 0 &- count, lost: 0)
}

extension Stream {
  /// Milliseconds of the clock that ages are counted by; never 0. While the stream is fed, the clock of its events.
  fileprivate var clockMs: UInt64 { Stream.milliseconds(isFed ? fedClock : clock) }

  private static func milliseconds(_ time: Int64) -> UInt64 {
    UInt64(clamping: time / 1_000_000) &+ 1
  }

  /// Moves the ages of all kept events to another clock. For the deliverer, under the lock.
  package func moveHistories(from before: Int64, to after: Int64) {
    let (old, new) = (Stream.milliseconds(before), Stream.milliseconds(after))
    _ = state.pointee.observers.eachKept { queued in
      let age = old > queued.pointee.key ? old &- queued.pointee.key : 0
      if queued.pointee.key != 0 { queued.pointee.key = new > age ? new &- age : 1 }
    }
  }
}

extension Observers {
  /// Visits the events of all histories. For the deliverer, under the lock.
  ///
  /// - Returns: How many there are.
  func eachKept(_ visit: (QueuedEvent.Pointer) -> Void) -> Int {
    var count = 0
    histories.each { count &+= $0.pointee.each(visit) }
    return count
  }
}
