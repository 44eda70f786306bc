// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The options an observer is registered with.
struct ObserverOptions {
  var flags: Int32 = 0
  /// Only what is sent through this scope.
  var of: Context?
  let history: Bool
  let scheduler: mainstem_scheduler
  let queue: Queue
  let onGap: ((Gap) -> Void)?

  /// Writes the options into C's struct.
  func write(to options: inout mainstem_observe_options) {
    options.size = UInt32(MemoryLayout<mainstem_observe_options>.size)
    options.flags = UInt32(history ? flags : flags | MAINSTEM_OBSERVE_NEW)
    options.of = of?.handle
    options.scheduler = scheduler
    queue.write(to: &options)
  }
}

extension Context {
  /// The one way to observe: every observer with a closure is registered here.
  func observe(
    _ number: mainstem_event_type, _ wanted: ObserverOptions,
    _ body: @escaping (borrowing Delivery) throws -> Void
  ) throws(StreamError) -> Subscription {
    try wanted.queue.check()
    let callback = callback(wanted.onGap, body)
    var subscription: OpaquePointer?
    try callback.keep { userData, release in
      withUnsafePointer(to: number) { number in
        var options = mainstem_observe_options()
        wanted.write(to: &options)
        if number.pointee != 0 { (options.types, options.type_count) = (number, 1) }
        return mainstem_observe_with(
          handle, &options, Callback.call, userData, release, &subscription)
      }
    }
    return Subscription(subscription, of: number, types)
  }

  private func callback(
    _ onGap: ((Gap) -> Void)?, _ body: @escaping (borrowing Delivery) throws -> Void
  ) -> Callback {
    let types = types
    return Callback { event in
      // A gap is not an event of the stream: its payload must not be decoded as one.
      if let gap = Gap(event) {
        onGap?(gap)
        return
      }
      let delivery = Delivery(event, types: types)
      do { try body(delivery) } catch { delivery.fail(Failure(error)) }
    }
  }
}
