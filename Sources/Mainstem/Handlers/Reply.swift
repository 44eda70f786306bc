// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// A request kept to be answered later, from any thread.
///
/// If the reply to a tracked request is released without an answer, the request fails with
/// ``Status/cancelled``.
public final class Reply<R: Request>: Sendable {
  private let handle: Handle
  private let types: EventTypes
  private let isOwed: Atomic<Bool>

  init(_ handle: OpaquePointer?, isTracked: Bool, types: EventTypes) {
    self.handle = Handle(pointer: handle)
    self.types = types
    isOwed = Atomic(isTracked)
  }

  deinit {
    if isOwed.load(ordering: .acquiring) {
      try? fail(Failure("\(R.name): the server let go of the request", code: .cancelled))
    }
    mainstem_retained_release(handle.pointer)
  }

  /// Answers the request.
  ///
  /// - Parameter answer: The answer.
  /// - Throws: ``Status/stale`` if it already has its answer.
  public func respond(_ answer: R.Answer) throws(StreamError) {
    try types.withBytes(of: answer) { bytes throws(StreamError) in
      try settle { mainstem_respond($0, bytes, bytes.count) }
    }
  }

  /// Whether nobody waits for the answer any more: somebody else has settled the request, or it has been answered.
  ///
  /// Work that takes long asks now and then, and stops. From any thread.
  public var isSettled: Bool {
    var event: UnsafePointer<mainstem_event>?
    var settled = false
    guard mainstem_retained_event(handle.pointer, &event) == MAINSTEM_OK,
      mainstem_event_is_settled(event, &settled) == MAINSTEM_OK
    else { return true }
    return settled
  }

  /// Reports progress of the request. May be called any number of times before the answer.
  ///
  /// - Parameter step: The notice to send. On a thread that is not the context's own, the context must
  ///   already know its type: the type was observed, sent or named as `progress:` before.
  /// - Throws: ``Status/stale`` if it has its answer.
  public func progress<N: Notice>(_ step: N) throws(StreamError) {
    if let event = try event() { try types.tell(step, of: event) }
  }

  /// Answers the request with a failure.
  ///
  /// - Parameter failure: The failure.
  /// - Throws: ``Status/stale`` if it already has its answer.
  public func fail(_ failure: Failure) throws(StreamError) {
    try settle { failure.answer($0) }
  }

  func settle(
    _ answer: (UnsafePointer<mainstem_event>) -> mainstem_status
  ) throws(StreamError) {
    guard let event = try event() else { return }
    let status = answer(event)
    if status != MAINSTEM_NO_MEMORY, status != MAINSTEM_FULL {
      isOwed.store(false, ordering: .releasing)
    }
    try StreamError.check(status)
  }

  private func event() throws(StreamError) -> UnsafePointer<mainstem_event>? {
    var event: UnsafePointer<mainstem_event>?
    try StreamError.check(mainstem_retained_event(handle.pointer, &event))
    return event
  }
}

extension EventTypes {
  /// Tells a step of the progress of a request.
  func tell<N: Notice>(
    _ step: N, of request: UnsafePointer<mainstem_event>
  ) throws(StreamError) {
    let number = try number(of: N.self)
    let bytes = try encode(step)
    try StreamError.check(mainstem_respond_progress(request, number, bytes, bytes.count))
  }
}

// MARK: - The answer of a handler

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
      let failure = Failure(error, handling: type, isSecret: isSecret)
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
      let failure = Failure(error, handling: type, isSecret: isSecret)
      if failure.answer(event) != 0 { fail(failure) }
    }
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

// MARK: - Requests that ended before

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
    try Held(body).keep { userData, release in
      let call: mainstem_settled_fn = { Kept.behind($0, as: Held<() -> Void>.self)?.content() }
      return mainstem_event_on_settled(event, call, userData, release)
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

// MARK: - Keeping a request

/// A request that is kept while its handler asks for something.
final class Retained {
  private let handle: OpaquePointer
  let event: UnsafePointer<mainstem_event>

  init(_ request: UnsafePointer<mainstem_event>) throws(StreamError) {
    var retained: OpaquePointer?
    try StreamError.check(mainstem_event_retain(request, &retained))
    var event: UnsafePointer<mainstem_event>?
    try StreamError.check(mainstem_retained_event(retained, &event))
    guard let retained, let event else { throw StreamError(.noMemory, "the request was not kept") }
    (self.handle, self.event) = (retained, event)
  }

  deinit { mainstem_retained_release(handle) }
}
