// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import CMainstemNATS
public import Mainstem

/// A bridge that works: a mirror, an import, requests that are forwarded or served.
///
/// It has a thread and a connection of its own. It is used where its context is, on that thread or actor. It ends when
/// it is released or closed; an import not inside a callback of its context.
public final class Bridge {
  private let handle: Handle
  /// A scope that only the bridge needs must not end.
  private let context: Context?
  private var isClosed = false

  init(_ handle: OpaquePointer?, of context: Context?) {
    self.handle = Handle(pointer: handle)
    self.context = context
  }

  deinit {
    if isClosed { return }
    let handle = handle
    let end: @Sendable () -> Void = { mainstem_nats_close(handle.pointer) }
    if let context { context.end(end) } else { end() }
  }

  /// Reads how it does.
  ///
  /// - Returns: How it does now.
  /// - Throws: ``Status/stale`` after ``close()``.
  public func stats() throws(StreamError) -> BridgeStats {
    var stats = mainstem_nats_stats()
    stats.size = UInt32(MemoryLayout<mainstem_nats_stats>.size)
    try StreamError.check(nats: mainstem_nats_stats_read(handle.pointer, &stats))
    return BridgeStats(stats)
  }

  /// Waits until all is done that there was to do at the call: the stream has everything that the journal had; the
  /// context has everything that the stream had, for which the call drains it; the server has what there was to send.
  ///
  /// - Parameter timeout: How long to wait, rounded up to milliseconds; `nil`: forever.
  /// - Throws: ``Status/timeout``; the status for which it has stopped; ``Status/busy`` for an import inside a callback, and
  ///   for a bridge that has waited for 2 seconds for room in a queue of the program's; ``Status/stale`` after ``close()``.
  @available(*, noasync, message: "This call blocks the thread. Await the flush.")
  public func flush(timeout: Duration? = nil) throws(StreamError) {
    let timeoutMs = try timeout?.milliseconds("flush: timeout") ?? -1
    try StreamError.check(nats: mainstem_nats_flush(handle.pointer, timeoutMs))
  }

  /// Awaits that all is done that there was to do at the call, while the context of an actor drains by itself.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait; `nil`: forever.
  ///   - isolation: The context's actor.
  /// - Throws: ``Status/timeout``; ``Status/cancelled`` if the task is; the status for which it has stopped;
  ///   ``Status/busy`` for a bridge that has waited for 2 seconds for room in a queue of the program's; ``Status/stale``
  ///   after ``close()``.
  public func flush(
    timeout: Duration? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws(StreamError) {
    let clock = ContinuousClock()
    _ = try timeout?.milliseconds("flush: timeout")
    let end = timeout.map { clock.now + $0 }
    var asked: UInt64 = 0
    try StreamError.check(nats: mainstem_nats_p_flush_ask(handle.pointer, &asked))
    while true {
      // The bridge tells nobody, and a thread that waits for it would drain the context beside its actor.
      let status = mainstem_nats_p_flush_look(handle.pointer, asked)
      let isOver = end.map { clock.now >= $0 } ?? false
      if status != MAINSTEM_TIMEOUT || isOver { return try StreamError.check(nats: status) }
      do { try await clock.sleep(for: .milliseconds(5)) } catch {
        throw StreamError(.cancelled, "flush: the task was cancelled")
      }
    }
  }

  /// Ends it; a second call does nothing.
  ///
  /// What a mirror has not sent is sent by the next one. Requests that are open are answered with
  /// ``Status/cancelled``, on both sides. Waits for the call to the server that is under way, 2 seconds at most.
  ///
  /// - Throws: ``Status/busy`` for an import inside a callback of its context; it goes on then.
  public func close() throws(StreamError) {
    if isClosed { return }
    try StreamError.check(nats: mainstem_nats_close(handle.pointer))
    isClosed = true
  }
}

@available(
  *, unavailable, message: "A bridge is used where its context is, on one thread or actor."
)
extension Bridge: Sendable {}
