// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// A request that was kept, to answer it later and from any thread.
///
/// A tracked request that nobody can answer any more, because its reply was released, fails with
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
  /// - Parameter answer: What it says.
  /// - Throws: ``Status/stale`` when it has its answer already.
  public func respond(_ answer: R.Answer) throws(StreamError) {
    let bytes = try types.encode(answer)
    try settle { mainstem_respond($0, bytes, bytes.count) }
  }

  /// Says how far the request has come; any number of times, before its answer.
  ///
  /// - Parameter step: What is told. On a thread that is not the context's own its type must be known
  ///   to the context: observed, sent or asked for with `progress:` before.
  /// - Throws: ``Status/stale`` when it has its answer.
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
  /// - Parameter failure: Why.
  /// - Throws: ``Status/stale`` when it has its answer already.
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
