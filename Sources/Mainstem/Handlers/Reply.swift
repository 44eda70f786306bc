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
    var event: UnsafePointer<mainstem_event>?
    try StreamError.check(mainstem_retained_event(handle.pointer, &event))
    guard let event else { return }
    let number = try types.number(of: N.self)
    let bytes = try types.encode(step)
    try StreamError.check(mainstem_respond_progress(event, number, bytes, bytes.count))
  }

  /// Answers the request with a failure.
  ///
  /// - Parameter failure: The failure.
  /// - Throws: ``Status/stale`` if it already has its answer.
  public func fail(_ failure: Failure) throws(StreamError) {
    try settle { failure.answer($0) }
  }

  private func settle(
    _ answer: (UnsafePointer<mainstem_event>) -> mainstem_status
  ) throws(StreamError) {
    var event: UnsafePointer<mainstem_event>?
    try StreamError.check(mainstem_retained_event(handle.pointer, &event))
    guard let event else { return }
    let status = answer(event)
    if status != MAINSTEM_NO_MEMORY { isOwed.store(false, ordering: .releasing) }
    try StreamError.check(status)
  }
}
