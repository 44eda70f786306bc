// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// What is reported for one request type: that requests are open, and that none is open any longer.
///
/// A request that is answered at once is never reported, because the decision is made when the request has reached its
/// handlers. Under the lock.
package struct Activity: ~Copyable {
  package let type: UInt32
  /// What was last reported.
  package fileprivate(set) var isBusy = false
  /// Memory for future reports. Each request brings it up to enough for both.
  fileprivate var spares = EventQueue()
  fileprivate var next: Pointer?

  package typealias Pointer = UnsafeMutablePointer<Activity>
}

extension Requests {
  /// The number of unanswered tracked requests of a type; type 0: of all types.
  package func activity(of type: UInt32) throws(Refusal) -> UInt64 {
    guard let asking = stream.readPoint() else { return try countActivity(of: type) }
    var last: UInt64 = 0
    defer { asking.note(last) }
    return try stream.locked { () throws(Refusal) in
      last = stream.position
      return try countActivity(of: type)
    }
  }

  private func countActivity(of type: UInt32) throws(Refusal) -> UInt64 {
    if type == 0 { return stream.state.pointee.openRequests.load(ordering: .relaxed) }
    return UInt64(
      try requestObservers(of: type).pointee.open.load(ordering: .relaxed) & ~TypeObservers.watched
    )
  }

  /// Reports from now on when requests of a type are open and when none is. Type 0: every type, including those
  /// registered later. Under the lock.
  package func reportActivity(of type: UInt32) throws(Refusal) {
    if type != 0 {
      let observers = try requestObservers(of: type)
      try prepareActivity(type, observers)
      observers.pointee.open.bitwiseOr(TypeObservers.reported, ordering: .relaxed)
      return
    }
    var each: UInt32 = 1
    while Int(each) <= stream.state.pointee.types.count {
      if let observers = try? requestObservers(of: each) { try prepareActivity(each, observers) }
      each &+= 1
    }
    each = 1
    while Int(each) <= stream.state.pointee.types.count {
      if let observers = try? requestObservers(of: each) {
        observers.pointee.open.bitwiseOr(TypeObservers.reported, ordering: .relaxed)
      }
      each &+= 1
    }
    stream.state.pointee.reports.tellActivity = true
  }

  private func requestObservers(of type: UInt32) throws(Refusal) -> TypeObservers.Pointer {
    guard let observers = stream.state.pointee.observers.find(type) else { throw .noType(type) }
    let contract = observers.pointee.contract
    guard contract.bits != 0 else { throw .noType(type) }
    guard contract.role == .request else {
      throw Refusal(.invalid, "type", "is not a request: only requests are counted")
    }
    return observers
  }

  /// Makes room for every report until the next request of a type. Under the lock.
  ///
  /// Between two requests a type can become busy once and idle once, so two spares are enough.
  package func prepareActivity(_ type: UInt32, _ observers: TypeObservers.Pointer) throws(Refusal) {
    let activity = try self.activity(type, observers)
    while activity.pointee.spares.count < 2 {
      let size = write(activity, UInt64.max >> 1, nil)
      guard let queued = QueuedEvent.make(capacity: size) else { throw .noMemory }
      activity.pointee.spares.append(queued)
    }
  }

  private func activity(_ type: UInt32, _ observers: TypeObservers.Pointer) throws(Refusal)
    -> Activity.Pointer
  {
    if let known = observers.pointee.activity {
      return known.assumingMemoryBound(to: Activity.self)
    }
    guard let activity = Memory.allocate(Activity.self) else { throw .noMemory }
    activity.initialize(to: Activity(type: type))
    // Requests that are already open need no report.
    activity.pointee.isBusy =
      observers.pointee.open.load(ordering: .relaxed) & ~TypeObservers.watched > 0
    activity.pointee.next = open.pointee.activities
    open.pointee.activities = activity
    observers.pointee.activity = UnsafeMutableRawPointer(activity)
    return activity
  }

  /// Reports whether requests of a type are open, unless that is what was last reported. Called by the deliverer, when
  /// an event has reached its observers.
  ///
  /// - Returns: The position accepted last when the requests were counted.
  package func tellActivity(
    _ observers: TypeObservers.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) -> UInt64 {
    stream.locked {
      let last = stream.position
      let count = UInt64(observers.pointee.open.load(ordering: .relaxed) & ~TypeObservers.watched)
      guard let known = observers.pointee.activity else { return last }
      let activity = known.assumingMemoryBound(to: Activity.self)
      guard activity.pointee.isBusy != (count > 0), let queued = activity.pointee.spares.takeFirst()
      else { return last }
      activity.pointee.isBusy = count > 0
      let payload = QueuedEvent.payload(of: queued)
      var draft = Draft(
        type: stream.state.pointee.reports.own.activity, data: UnsafeRawPointer(payload),
        size: write(activity, count, payload), origin: 0)
      draft.cause = event.pointee.position
      draft.correlation = event.pointee.correlation
      draft.depth = Stream.depth(of: event) &+ 1
      stream.enqueue(KeptEvent(draft, in: queued))
      return last
    }
  }

  private func write(
    _ activity: Activity.Pointer, _ count: UInt64, _ memory: UnsafeMutableRawPointer?
  ) -> Int {
    var writer = JSONWriter(memory)
    writer.open()
    writer.member(
      "type", stream.state.pointee.types[activity.pointee.type]?.name.bytes ?? Bytes(""))
    writer.member("count", Int64(clamping: count))
    writer.close()
    return writer.length
  }

  /// Frees the memory kept for reports, when the context is closed.
  package func freeActivities() {
    while let activity = open.pointee.activities {
      open.pointee.activities = activity.pointee.next
      while let spare = activity.pointee.spares.takeFirst() { QueuedEvent.free(spare) }
      Memory.free(activity)
    }
  }
}
