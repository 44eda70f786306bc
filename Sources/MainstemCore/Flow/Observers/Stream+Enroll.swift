// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

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
  /// Under the lock.
  ///
  /// - Parameters:
  ///   - handler: Returns the handler at an index.
  ///   - duty: What is left to do after unlocking, also if it fails.
  package func enroll(
    _ scope: Scope.Pointer, _ count: Int, _ handler: (Int) -> HandlerRow,
    at place: HandlerPlace, _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
    _ attempt: Attempt, _ duty: inout Duty
  ) throws(Refusal) {
    if attempt.lack != nil { throw observersRefusal(scope) }
    var registration = Registration()
    if count == 0, release != nil {
      let hook = Subscription.Options({ _, _ in }, userData, release, .nothing)
      _ = try register(hook, scope, scope.pointee.handle, &registration)
    }
    var index = 0
    while index < count {
      let row = handler(index)
      guard let name = row.type, let function = row.function else { throw .null("rows") }
      let type = state.pointee.types.find(Bytes(zeroEnded: name))
      var options = Subscription.Options(
        function, userData, index == 0 ? release : nil, .one(type))
      options.call.isHandler = true
      if row.isOwn {
        options.call.isOfOneOrigin = true
        options.origin = scope.pointee.origin
      }
      options.call.isScheduled = place.scheduler != Schedulers.immediate
      options.scheduler = place.scheduler
      options.bounds = place.bounds
      _ = try register(options, scope, scope.pointee.handle, &registration)
      index &+= 1
    }
    if let show = scope.pointee.show {
      _ = try register(Show.options(of: show), scope, scope.pointee.handle, &registration)
      Show.join(registration.last, to: show)
    }
    if place.scheduler != Schedulers.immediate { try prepareGaps(for: &registration) }
    try join(&registration, &duty)
  }
}
