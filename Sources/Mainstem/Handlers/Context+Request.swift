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
        try ask(request, timeout, shared: shared) { answered.take($0) }
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
    try ask(request, timeout, shared: shared, scheduler) { delivery in
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
    return try ask(request, timeout, shared: shared, scheduler) { delivery in
      guard delivery.event.pointee.type == wanted else { return }
      do { try step(delivery.decode(type), delivery) } catch { delivery.fail(Failure(error)) }
    } answer: { delivery in
      body(delivery.result(R.Answer.self), delivery)
    }
  }
}

// MARK: - On a serial scheduler

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
    try self.request(
      request, timeout: timeout, shared: shared, on: scheduler.unchecked, body)
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
    try self.request(
      request, timeout: timeout, shared: shared, on: scheduler.unchecked, progress: type, step,
      answer: body)
  }
}

// MARK: - While it waits

/// A request waiting for its answer.
public struct Pending: Sendable {
  private let handle: Handle

  init(_ handle: OpaquePointer?) { self.handle = Handle(pointer: handle) }

  /// Cancels the request: it is answered with ``Status/cancelled``, unless it has its answer.
  public func cancel() { mainstem_pending_cancel(handle.pointer) }

  /// The position of the request while it is open; `nil` once it has its answer.
  public var position: UInt64? {
    var position: UInt64 = 0
    return mainstem_pending_position(handle.pointer, &position) == 0 ? position : nil
  }
}

extension Pending: CustomStringConvertible {
  /// The request's position while it is open: `Pending #7`, then `Pending, answered`.
  public var description: String { position.map { "Pending #\($0)" } ?? "Pending, answered" }
}

// MARK: - Activity

extension Context {
  /// Counts the open tracked requests of a type.
  ///
  /// - Parameter type: The request type.
  /// - Returns: The count. Observers of the last response read 0.
  /// - Throws: The reason the call was refused.
  public func requestCount<R: Request>(of type: R.Type) throws(StreamError) -> Int {
    let number = try types.number(of: type)
    var count: UInt64 = 0
    try StreamError.check(mainstem_request_count(handle, number, &count))
    return Int(clamping: count)
  }

  /// Reports the activity of a request type, from now on: an ``ActivityReport`` says when the type becomes
  /// busy, and when it is idle again. A request answered at once makes no report.
  ///
  /// - Parameter type: The request type.
  /// - Throws: The reason the call was refused.
  public func reportActivity<R: Request>(of type: R.Type) throws(StreamError) {
    try StreamError.check(mainstem_activity_report(handle, try types.number(of: type)))
  }
}

// MARK: - What all of them do

extension Context {
  /// Sends a tracked request.
  func ask<R: Request>(
    _ request: R, _ timeout: Duration?, shared: Bool, _ scheduler: Scheduler = .immediate,
    step: @escaping (borrowing Delivery) -> Void = { _ in },
    answer: @escaping (borrowing Delivery) -> Void
  ) throws(StreamError) -> Pending {
    let number = try types.number(of: R.self)
    return try types.withBytes(of: request) { bytes throws(StreamError) in
      try ask(number, bytes, timeout, shared: shared, scheduler, step: step, answer: answer)
    }
  }

  /// The one way to ask: every request is made here.
  func ask(
    _ number: mainstem_event_type, _ bytes: [UInt8], _ timeout: Duration?, shared: Bool,
    _ scheduler: Scheduler, step: @escaping (borrowing Delivery) -> Void = { _ in },
    answer: @escaping (borrowing Delivery) -> Void
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
      options.scheduler = scheduler.number
      options.share = shared ? 1 : 0
      return mainstem_request_with(
        handle, number, bytes, bytes.count, &options, Callback.call, userData, release, &pending)
    }
    return Pending(pending)
  }
}

/// The answer that a blocking request waits for, as it came: it is decoded where its type is at hand, behind the wait.
final class Answered {
  @exclusivity(unchecked) private(set) var hasCome = false
  @exclusivity(unchecked) private var failure: Failure?
  @exclusivity(unchecked) private var bytes: [UInt8] = []
  @exclusivity(unchecked) private var isSecret = false

  func take(_ delivery: borrowing Delivery) {
    hasCome = true
    failure = delivery.failure
    isSecret = delivery.isSecret
    if failure == nil { bytes = delivery.types.spareBytes(of: delivery.event.pointee) }
  }

  func decoded<R: Response>(_ type: R.Type, by types: EventTypes) throws(Failure) -> R {
    if let failure { throw failure }
    return try types.decode(type, from: bytes, isSecret: isSecret)
  }

  /// The number in an answer that has no type here.
  func number() throws(Failure) -> UInt64 {
    if let failure { throw failure }
    do { return try UInt64(payload: bytes) } catch { throw Failure(error) }
  }
}
