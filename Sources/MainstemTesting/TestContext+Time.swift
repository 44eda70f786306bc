// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import Testing

extension TestContext {
  /// Moves the virtual clock forward and drains. Everything that falls due happens, in order, including the delayed
  /// answers of stubs and what handlers do that slept. 0 only drains.
  ///
  /// - Parameters:
  ///   - duration: How far, in whole milliseconds; a part of one counts as one.
  ///   - sourceLocation: The place of the call in the test.
  public func advance(
    by duration: Duration, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    attempt(sourceLocation) { try advance(duration.wholeMs) }
  }

  /// Sends a request from outside, and moves time forward until the answer has come. Both are in the
  /// transcript.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - timeout: How long to wait before the answer is `Status.timeout`.
  ///   - shared: Whether all who ask the same at a time wait for one answer: the server gets one request for them.
  ///   - sourceLocation: The place of the call in the test.
  /// - Returns: The answer or the failure.
  public func request<R: Request>(
    _ request: R, timeout: Duration? = nil, shared: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Result<R.Answer, Failure> {
    var answer: Result<R.Answer, Failure>?
    do throws(StreamError) {
      let pending = try context.request(request, timeout: timeout, shared: shared) { result, _ in
        answer = result
      }
      let now = try nowMs()
      let ends = timeout.map { now + $0.wholeMs }
      context.runTasks()
      for _ in 0..<20_000 where answer == nil { try advance(step(until: ends)) }
      if let answer { return answer }
      pending.cancel()
    } catch {
      return .failure(Failure(error))
    }
    Issue.record(
      "nobody answers \(shown(request)), however far time moves on",
      sourceLocation: sourceLocation)
    return .failure(Failure("nobody answers", code: .cancelled))
  }

  /// How far to move time in one step: at most a second, and not past a delayed answer or the timeout.
  private func step(until ends: Int64?) throws(StreamError) -> Int64 {
    let now = try nowMs()
    let step = max(0, min(ends ?? .max, nextDue ?? .max, now + 1000) - now)
    // When a timer fires cannot be read from here, so with one armed time moves 1 ms at a time.
    return try context.stats().timers > 0 ? min(step, 1) : step
  }

  /// When the first delayed answer is due, or the first sleeping task; nil: neither waits.
  private var nextDue: Int64? {
    [deadlines.first, context.nextSleeper?.wholeMs].compactMap(\.self).min()
  }

  private func nowMs() throws(StreamError) -> Int64 { try context.now() / 1_000_000 }

  private func advance(_ milliseconds: Int64) throws(StreamError) {
    guard milliseconds >= 0 else { return try context.advance(by: .milliseconds(milliseconds)) }
    let target = try nowMs() + milliseconds
    while true {
      let until = min(target, nextDue ?? target)
      try context.advance(by: .milliseconds(max(0, until - nowMs())))
      if !deadlines.run(until: until), until == target { return }
    }
  }
}

extension Duration {
  /// Milliseconds, rounded up.
  var wholeMs: Int64 {
    components.seconds * 1000 + (components.attoseconds + 999_999_999_999_999)
      / 1_000_000_000_000_000
  }
}
