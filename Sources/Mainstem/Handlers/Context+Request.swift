// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Asks, and waits for the answer.
  ///
  /// Outside callbacks only. The answer is on the stream too, and its observers were first. While
  /// it waits, the context drains.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - timeout: After so long, by the context's clock, the answer is ``Status/timeout``.
  /// - Returns: The answer, or the failure of the server or of the call: ``Status/unhandled`` where
  ///   no server handles it, ``Status/busy`` inside a callback.
  public func request<R: Request>(
    _ request: R, timeout: Duration? = nil
  ) -> Result<R.Answer, Failure> {
    var answer: Result<R.Answer, Failure>?
    do throws(StreamError) {
      try flush()
      let pending = try self.request(request, timeout: timeout) { result, _ in answer = result }
      while true {
        if let answer { return answer }
        do throws(StreamError) { try wait() } catch {
          pending.cancel()
          throw error
        }
      }
    } catch {
      return .failure(Failure(error))
    }
  }

  /// Asks, and gets exactly one answer, later; also inside a callback.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - timeout: After so long, by the context's clock, the answer is ``Status/timeout``.
  ///   - scheduler: When the callback runs.
  ///   - body: Gets the answer or the failure, once, after the observers of the response.
  /// - Returns: The request, to give it up.
  /// - Throws: Why it was not accepted; then there is no answer.
  @discardableResult
  public func request<R: Request>(
    _ request: R, timeout: Duration? = nil, on scheduler: Scheduler = .immediate,
    _ body: @escaping (Result<R.Answer, Failure>, borrowing Delivery) -> Void
  ) throws(StreamError) -> Pending {
    try ask(request, timeout, scheduler.number) { _ in
    } answer: { delivery in
      body(delivery.result(R.Answer.self), delivery)
    }
  }

  /// Asks, and hears how far it has come until the one answer.
  ///
  ///     try context.request(RequestLoad(), progress: Loaded.self) { loaded, _ in
  ///       view.show(loaded.percent)
  ///     } answer: { result, _ in
  ///       view.show(result)
  ///     }
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - timeout: After so long, by the context's clock, the answer is ``Status/timeout``.
  ///   - scheduler: When the callbacks run.
  ///   - type: The type of the steps that are wanted.
  ///   - step: Gets each of them, after its observers, before the answer.
  ///   - body: Gets the answer or the failure, once, after the observers of the response.
  /// - Returns: The request, to give it up.
  /// - Throws: Why it was not accepted; then there is no answer.
  @discardableResult
  public func request<R: Request, N: Notice>(
    _ request: R, timeout: Duration? = nil, on scheduler: Scheduler = .immediate,
    progress type: N.Type,
    _ step: @escaping (N, borrowing Delivery) throws -> Void,
    answer body: @escaping (Result<R.Answer, Failure>, borrowing Delivery) -> Void
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
