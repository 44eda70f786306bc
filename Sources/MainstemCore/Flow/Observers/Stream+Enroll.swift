// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Where the handlers of a server are called, and how much may wait for each of them.
package struct HandlerPlace {
  package let scheduler: UInt32
  package let bounds: SubscriptionQueue.Bounds

  package init(scheduler: UInt32, bounds: SubscriptionQueue.Bounds) {
    self.scheduler = scheduler
    self.bounds = bounds
  }

  /// By whoever delivers.
  package static var immediate: HandlerPlace {
    HandlerPlace(scheduler: Schedulers.immediate, bounds: .none)
  }
}

/// Handlers: observers of one type each, registered together.
extension Stream {
  /// Registers the handlers of a server, and lets them join. The release hook goes with the first one, which ends last.
  /// No call takes their handles. Under the lock.
  ///
  /// - Parameters:
  ///   - handler: Returns the handler at an index.
  ///   - duty: What is left to do after unlocking, also if it fails.
  @inline(never)
  package func enroll(
    _ scope: Scope.Pointer, _ count: Int, _ handler: (Int) -> HandlerRow,
    at place: HandlerPlace, _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
    _ attempt: Attempt, _ duty: inout Duty
  ) throws(Refusal) {
    let isScheduled = place.scheduler != Schedulers.immediate
    if count == 0, release != nil {
      var hook = Subscription.Options({ _, _ in }, userData, release, .nothing)
      hook.kind = .inner
      return try enroll(
        1, in: scope, scope.pointee.handle, attempt, &duty, showing: Show.unjoined(of: scope)
      ) { [hook] _ in hook }
    }
    try enroll(
      count, in: scope, scope.pointee.handle, attempt, &duty, showing: Show.unjoined(of: scope)
    ) { index in
      let row = handler(index)
      // The rows have been checked.
      let type = row.type.map { state.pointee.types.find(Bytes(zeroEnded: $0)) } ?? 0
      var options = Subscription.Options(
        row.function ?? { _, _ in }, userData, index == 0 ? release : nil, .one(type))
      options.kind = .inner
      options.call.isHandler = true
      // The handlers of a service get what others send from the service.
      if row.isOwn || scope.pointee.service != 0 && !isScheduled {
        options.call.isOfOneOrigin = true
        options.origin = scope.pointee.origin
      }
      if row.isFetch {
        options.call.isFetch = true
        state.pointee.delivery.hasFetches.store(true, ordering: .relaxed)
      }
      (options.call.isForOthers, options.call.isOneOfSeveral) = (!row.isOwn, row.isOneOfSeveral)
      options.call.wantsWritten = row.isWritten
      options.call.isScheduled = isScheduled
      options.scheduler = place.scheduler
      options.bounds = place.bounds
      return options
    }
  }

  /// Registers observers together, and lets them join: all or none. Under the lock.
  ///
  /// - Parameters:
  ///   - through: The handle that their callbacks get.
  ///   - duty: What is left to do after unlocking, also if it fails.
  ///   - show: The show function that joins behind them, if there is one.
  ///   - given: Gets each one's handle, before it can be called.
  ///   - options: Returns what is asked for, by index.
  @inline(never)
  package func enroll(
    _ count: Int, in scope: Scope.Pointer, _ through: Handle, _ attempt: Attempt,
    _ duty: inout Duty, showing show: Show.Pointer? = nil,
    given: (Int, Handle) -> Void = { _, _ in },
    _ options: (Int) -> Subscription.Options
  ) throws(Refusal) {
    if attempt.lack != nil { throw observersRefusal(scope) }
    var registration = Registration()
    var isScheduled = false
    var index = 0
    while index < count {
      let asked = options(index)
      given(index, try register(asked, scope, through, &registration))
      if asked.scheduler != Schedulers.immediate { isScheduled = true }
      index &+= 1
    }
    if let show {
      _ = try register(Show.options(of: show), scope, through, &registration)
      Show.join(registration.last, to: show)
    }
    if isScheduled { try prepareGaps(for: &registration) }
    try join(&registration, &duty)
  }
}
