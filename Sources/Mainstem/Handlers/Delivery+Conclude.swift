// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Delivery {
  /// Runs a handler, then sends everything it returned, or fails.
  ///
  /// - Parameter request: The request that the handler got, if this is the answer to what it asked for.
  func conclude<E: Event>(
    _ type: E.Type, for request: Retained? = nil, _ body: (borrowing Delivery) throws -> [any Event]
  ) {
    let handled = request?.event ?? event
    do {
      let drafts = try body(self).map { event in try draft(event) }
      for draft in drafts { try pass(draft, handled, answersWith: type.answer) }
    } catch {
      let failure = failure(for: error, answersWith: type)
      let status = type.answer == nil ? Status.invalid.rawValue : failure.answer(handled)
      // Only a request that is still open can fail as a response. Whoever asked for something may be too late.
      if status != 0, request == nil || status != Status.stale.rawValue { fail(failure) }
    }
  }

  /// Runs a handler that returns one answer, then answers with it, or fails.
  func answer<R: Request>(_ type: R.Type, _ body: (borrowing Delivery) throws -> R.Answer) {
    do {
      try types.withBytes(of: try body(self)) { bytes throws(StreamError) in
        try Delivery.check(mainstem_respond(event, bytes, bytes.count))
      }
    } catch {
      let failure = failure(for: error, answersWith: type)
      if failure.answer(event) != 0 { fail(failure) }
    }
  }

  /// The failure for an error that a handler threw. If the error may quote a secret, in the request or in the
  /// answer, only the error's type is named.
  private func failure<E: Event>(for error: any Error, answersWith type: E.Type) -> Failure {
    let mayQuote = isSecret || E.isSecret || E.answer?.isSecret == true
    if !mayQuote || error is Failure || error is StreamError { return Failure(error) }
    return Failure("\(Swift.type(of: error)): <secret>")
  }

  private func draft<Out: Event>(_ event: Out) throws(StreamError) -> Draft {
    Draft(
      type: Out.self, number: try types.number(of: Out.self),
      bytes: try types.encode(event))
  }

  /// Answers the handled request if the event is of its answer type; sends any other event.
  private func pass(
    _ draft: Draft, _ handled: UnsafePointer<mainstem_event>,
    answersWith answer: (any Response.Type)?
  ) throws(StreamError) {
    guard answer == draft.type else {
      let context = event.pointee.context
      return try StreamError.check(
        mainstem_send(context, draft.number, draft.bytes, draft.bytes.count))
    }
    try Delivery.check(mainstem_respond(handled, draft.bytes, draft.bytes.count))
  }

  /// Checks an answer's status. STALE: another server answered first, and its answer counts.
  private static func check(_ status: mainstem_status) throws(StreamError) {
    if status != MAINSTEM_STALE { try StreamError.check(status) }
  }
}

/// An encoded event that a handler returned.
private struct Draft {
  let type: any Event.Type
  let number: mainstem_event_type
  let bytes: [UInt8]
}
