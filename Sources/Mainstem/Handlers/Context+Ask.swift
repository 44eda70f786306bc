// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Sends a tracked request.
  func ask<R: Request>(
    _ request: R, _ timeout: Duration?, shared: Bool, _ scheduler: mainstem_scheduler,
    step: @escaping (borrowing Delivery) -> Void, answer: @escaping (borrowing Delivery) -> Void
  ) throws(StreamError) -> Pending {
    let number = try types.number(of: R.self)
    return try types.withBytes(of: request) { bytes throws(StreamError) in
      try ask(number, bytes, timeout, shared: shared, scheduler, step: step, answer: answer)
    }
  }

  /// The one way to ask: every request is made here.
  func ask(
    _ number: mainstem_event_type, _ bytes: [UInt8], _ timeout: Duration?, shared: Bool,
    _ scheduler: mainstem_scheduler,
    step: @escaping (borrowing Delivery) -> Void, answer: @escaping (borrowing Delivery) -> Void
  ) throws(StreamError) -> Pending {
    let timeout = try timeout?.milliseconds("request: timeout", least: 1) ?? 0
    let types = types
    let callback = Callback { event in
      let delivery = Delivery(event, types: types)
      if delivery.isProgress { step(delivery) } else { answer(delivery) }
    }
    var pending: OpaquePointer?
    try callback.keep { userData, release in
      var options = mainstem_request_options()
      options.size = UInt32(MemoryLayout<mainstem_request_options>.size)
      options.progress = Callback.call
      options.timeout_ms = timeout
      options.scheduler = scheduler
      options.share = shared ? 1 : 0
      return mainstem_request_with(
        handle, number, bytes, bytes.count, &options, Callback.call, userData, release, &pending)
    }
    return Pending(pending)
  }
}
