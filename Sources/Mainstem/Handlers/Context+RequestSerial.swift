// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Sends a request that gets exactly one answer, on a serial scheduler's thread.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - timeout: How long to wait, by the context's clock, before the answer is
  ///     ``Status/timeout``.
  ///   - shared: Whether all who ask the same at a time wait for one answer: the server gets one request for them.
  ///   - scheduler: The scheduler whose thread runs the callback.
  ///   - body: Gets the answer or the failure, once, after the observers of the response.
  /// - Returns: The open request, which can be cancelled.
  /// - Throws: The reason it was not accepted; no answer comes then.
  @discardableResult
  public func request<R: Request>(
    _ request: R, timeout: Duration? = nil, shared: Bool = false, on scheduler: SerialScheduler,
    _ body: @Sendable @escaping (Result<R.Answer, Failure>, borrowing Delivery) -> Void
  ) throws(StreamError) -> Pending {
    try ask(request, timeout, shared: shared, scheduler.number) { _ in
    } answer: { delivery in
      body(delivery.result(R.Answer.self), delivery)
    }
  }

  /// Sends a request, and gets its progress and then its one answer on a serial scheduler's thread.
  ///
  /// When the context closes, callbacks still waiting run on the thread that closes it.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - timeout: How long to wait, by the context's clock, before the answer is
  ///     ``Status/timeout``.
  ///   - shared: Whether all who ask the same at a time wait for one answer: the server gets one request for them.
  ///   - scheduler: The scheduler whose thread runs the callbacks.
  ///   - type: The type of progress wanted.
  ///   - step: Gets each step of progress, after its observers and before the answer.
  ///   - body: Gets the answer or the failure, once, after the observers of the response.
  /// - Returns: The open request, which can be cancelled.
  /// - Throws: The reason it was not accepted; no answer comes then.
  @discardableResult
  public func request<R: Request, N: Notice>(
    _ request: R, timeout: Duration? = nil, shared: Bool = false, on scheduler: SerialScheduler,
    progress type: N.Type,
    _ step: @Sendable @escaping (N, borrowing Delivery) throws -> Void,
    answer body: @Sendable @escaping (Result<R.Answer, Failure>, borrowing Delivery) -> Void
  ) throws(StreamError) -> Pending {
    let wanted = try types.number(of: type)
    return try ask(request, timeout, shared: shared, scheduler.number) { delivery in
      guard delivery.event.pointee.type == wanted else { return }
      do { try step(delivery.decode(type), delivery) } catch { delivery.fail(Failure(error)) }
    } answer: { delivery in
      body(delivery.result(R.Answer.self), delivery)
    }
  }
}
