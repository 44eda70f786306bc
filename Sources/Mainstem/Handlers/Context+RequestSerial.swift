// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Asks, and gets exactly one answer on a thread of the library's own.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - timeout: After so long, by the context's clock, the answer is ``Status/timeout``.
  ///   - scheduler: The thread on which the callback runs.
  ///   - body: Gets the answer or the failure, once, after the observers of the response.
  /// - Returns: The request, to give it up.
  /// - Throws: Why it was not accepted; then there is no answer.
  @discardableResult
  public func request<R: Request>(
    _ request: R, timeout: Duration? = nil, on scheduler: SerialScheduler,
    _ body: @Sendable @escaping (Result<R.Answer, Failure>, borrowing Delivery) -> Void
  ) throws(StreamError) -> Pending {
    try ask(request, timeout, scheduler.number) { _ in
    } answer: { delivery in
      body(delivery.result(R.Answer.self), delivery)
    }
  }

  /// Asks, and hears on a thread of the library's own how far it has come, until the one answer.
  ///
  /// When the context closes, what waits runs on the thread that closes it.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - timeout: After so long, by the context's clock, the answer is ``Status/timeout``.
  ///   - scheduler: The thread on which the callbacks run.
  ///   - type: The type of the steps that are wanted.
  ///   - step: Gets each of them, after its observers, before the answer.
  ///   - body: Gets the answer or the failure, once, after the observers of the response.
  /// - Returns: The request, to give it up.
  /// - Throws: Why it was not accepted; then there is no answer.
  @discardableResult
  public func request<R: Request, N: Notice>(
    _ request: R, timeout: Duration? = nil, on scheduler: SerialScheduler,
    progress type: N.Type,
    _ step: @Sendable @escaping (N, borrowing Delivery) throws -> Void,
    answer body: @Sendable @escaping (Result<R.Answer, Failure>, borrowing Delivery) -> Void
  ) throws(StreamError) -> Pending {
    let wanted = try types.number(of: type)
    return try ask(request, timeout, scheduler.number) { delivery in
      guard delivery.event.pointee.type == wanted else { return }
      do { try step(delivery.decode(type), delivery) } catch { delivery.fail(Failure(error)) }
    } answer: { delivery in
      body(delivery.result(R.Answer.self), delivery)
    }
  }
}
