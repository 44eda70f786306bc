// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Sends a request and waits for its answer.
  ///
  /// Only outside callbacks. The answer is on the stream too; its observers get it first. The context
  /// drains during the wait.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - timeout: How long to wait, by the context's clock, before the answer is
  ///     ``Status/timeout``.
  ///   - shared: Whether all who ask the same at a time wait for one answer: the server gets one request for them.
  /// - Returns: The answer, or the failure of the server or of the call: ``Status/unhandled`` if no
  ///   server got it, ``Status/busy`` inside a callback.
  @available(
    *, noasync, message: "This call blocks the thread. Write: try await context.request(…)"
  )
  public func request<R: Request>(
    _ request: R, timeout: Duration? = nil, shared: Bool = false
  ) -> Result<R.Answer, Failure> {
    do throws(Failure) {
      let answered = try awaited { answered throws(StreamError) in
        try ask(request, timeout, shared: shared, Scheduler.immediate.number) { _ in
        } answer: { delivery in
          answered.take(delivery)
        }
      }
      return .success(try answered.decoded(R.Answer.self, by: types))
    } catch {
      return .failure(error)
    }
  }

  /// Asks, and drains until the answer has come.
  func awaited(
    _ ask: (Answered) throws(StreamError) -> Pending
  ) throws(Failure) -> Answered {
    let answered = Answered()
    do throws(StreamError) {
      try flush()
      let pending = try ask(answered)
      while !answered.hasCome {
        do throws(StreamError) { try wait() } catch {
          pending.cancel()
          throw error
        }
      }
    } catch {
      throw Failure(error)
    }
    return answered
  }

  /// Sends a request that gets exactly one answer, which is passed to a callback. May be called inside a callback.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - timeout: How long to wait, by the context's clock, before the answer is
  ///     ``Status/timeout``.
  ///   - shared: Whether all who ask the same at a time wait for one answer: the server gets one request for them.
  ///   - scheduler: When the callback runs.
  ///   - body: Gets the answer or the failure, once, after the observers of the response.
  /// - Returns: The open request, which can be cancelled.
  /// - Throws: The reason it was not accepted; no answer comes then.
  @discardableResult
  public func request<R: Request>(
    _ request: R, timeout: Duration? = nil, shared: Bool = false,
    on scheduler: Scheduler = .immediate,
    _ body: @escaping (Result<R.Answer, Failure>, borrowing Delivery) -> Void
  ) throws(StreamError) -> Pending {
    try ask(request, timeout, shared: shared, scheduler.number) { _ in
    } answer: { delivery in
      body(delivery.result(R.Answer.self), delivery)
    }
  }

  /// Sends a request, and gets its progress and then its one answer in callbacks.
  ///
  ///     try context.request(RequestLoad(), progress: Loaded.self) { loaded, _ in
  ///       view.show(loaded.percent)
  ///     } answer: { result, _ in
  ///       view.show(result)
  ///     }
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - timeout: How long to wait, by the context's clock, before the answer is
  ///     ``Status/timeout``.
  ///   - shared: Whether all who ask the same at a time wait for one answer: the server gets one request for them.
  ///   - scheduler: When the callbacks run.
  ///   - type: The type of progress wanted.
  ///   - step: Gets each step of progress, after its observers and before the answer.
  ///   - body: Gets the answer or the failure, once, after the observers of the response.
  /// - Returns: The open request, which can be cancelled.
  /// - Throws: The reason it was not accepted; no answer comes then.
  @discardableResult
  public func request<R: Request, N: Notice>(
    _ request: R, timeout: Duration? = nil, shared: Bool = false,
    on scheduler: Scheduler = .immediate,
    progress type: N.Type,
    _ step: @escaping (N, borrowing Delivery) throws -> Void,
    answer body: @escaping (Result<R.Answer, Failure>, borrowing Delivery) -> Void
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
