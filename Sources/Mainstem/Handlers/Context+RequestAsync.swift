// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Sends a request and awaits its answer, in a context of an actor.
  ///
  ///     let todo = try await context.request(RequestToggle(id: 1), timeout: .seconds(1)).todo
  ///
  /// If the task is cancelled, the request is: it is answered with ``Status/cancelled``.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - timeout: How long to wait, by the context's clock, before the answer is
  ///     ``Status/timeout``.
  ///   - shared: Whether all who ask the same at a time wait for one answer: the server gets one request for them.
  ///   - isolation: The context's actor.
  /// - Returns: The answer.
  /// - Throws: The failure of the server or of the call: ``Status/unhandled`` if no server got it,
  ///   ``Status/wrongThread`` if the context was not made for an actor.
  public func request<R: Request>(
    _ request: R, timeout: Duration? = nil, shared: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> R.Answer {
    try await types.answer { answered throws(StreamError) in
      try self.request(request, timeout: timeout, shared: shared) { answer, _ in answered(answer) }
    }
  }
}

extension EventTypes {

  /// Asks, and awaits the answer.
  func answer<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ ask: (@escaping (Result<Value, Failure>) -> Void) throws(StreamError) -> Pending
  ) async throws(Failure) -> Value {
    guard drainer != nil else { throw Failure(ofThread) }
    let asked = Locked<(pending: Pending?, isCancelled: Bool)>((nil, false))
    let result: Result<Value, Failure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter(continuation)
        do throws(StreamError) {
          let pending = try ask { waiter.take($0) }
          let isLate = asked.locked { asked in
            asked.pending = pending
            return asked.isCancelled
          }
          if isLate { pending.cancel() }
        } catch {
          waiter.take(.failure(Failure(error)))
        }
      }
    } onCancel: {
      let pending = asked.locked { asked in
        asked.isCancelled = true
        return asked.pending
      }
      pending?.cancel()
    }
    return try result.get()
  }

  private var ofThread: StreamError {
    StreamError(
      .wrongThread,
      "request: after the await this code may go on on another thread, and the context belongs to one: "
        + "make it with Context(on: MainActor.shared) or Context(on: self)")
  }
}

/// Who awaits an answer. When nobody can answer any more, it is told so: a task must not wait for ever.
private final class Waiter<Value: Sendable> {
  private var continuation: CheckedContinuation<Result<Value, Failure>, Never>?

  init(_ continuation: CheckedContinuation<Result<Value, Failure>, Never>) {
    self.continuation = continuation
  }

  func take(_ answer: Result<Value, Failure>) {
    continuation?.resume(returning: answer)
    continuation = nil
  }

  deinit {
    let message = "nobody hears the answer any more: its binding has ended, or points elsewhere"
    continuation?.resume(returning: .failure(Failure(message, code: .cancelled)))
  }
}
