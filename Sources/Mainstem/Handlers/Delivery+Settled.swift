// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Delivery {
  /// Calls a closure once if somebody else settles this request, so that work on it can stop.
  ///
  ///     on.event(RequestLoad.self) { server, request, delivery in
  ///       let reply = try delivery.reply(to: RequestLoad.self)
  ///       let task = Task { await load(request, reply) }
  ///       try delivery.onSettled { task.cancel() }
  ///       return []
  ///     }
  ///
  /// That is when the requester cancels it, the scope that asked ends, it times out, another server
  /// answers, or the context closes. The closure is not called if this server answers or ends, or if the
  /// request was only sent. It runs where the handler ran; if the answer has already been delivered, at
  /// once.
  ///
  /// - Parameter body: The closure. It is released when it will not be called any more.
  /// - Throws: ``Status/invalid`` if the event is not a request.
  public func onSettled(_ body: @escaping () -> Void) throws(StreamError) {
    try SettledCallback(body).keep { userData, release in
      mainstem_event_on_settled(event, SettledCallback.call, userData, release)
    }
  }
}

extension Delivery {
  /// Whether nobody waits for the answer to this request any more.
  ///
  /// For a handler that blocks or computes: it asks now and then, and stops when the requester has cancelled, its time is
  /// up, or the context closes. True also once it has been answered. Of a request that was only sent it stays false.
  public var isSettled: Bool {
    var settled = false
    return mainstem_event_is_settled(event, &settled) != MAINSTEM_OK || settled
  }
}

/// A closure without an event, in the form C keeps.
private final class SettledCallback: Kept {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  /// Calls the closure behind user_data.
  static let call: @Sendable @convention(c) (UnsafeMutableRawPointer?) -> Void = { userData in
    guard let userData else { return }
    // `keep` retains it until the release hook has run.
    Unmanaged<SettledCallback>.fromOpaque(userData).takeUnretainedValue().body()
  }
}
