// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Delivery {
  /// The event as a value.
  ///
  /// - Parameter type: Its type; for a payload of another type the call throws.
  /// - Returns: The event.
  /// - Throws: ``Status/invalid`` and a sentence that names type and field.
  public func decode<E: Event>(_ type: E.Type) throws(Failure) -> E {
    try types.decode(type, from: event.pointee)
  }

  /// The response, or the failure in its place.
  ///
  /// - Parameter type: The type of response.
  /// - Returns: The response or its failure.
  public func result<R: Response>(_ type: R.Type) -> Result<R, Failure> {
    if let failure { return .failure(failure) }
    return Result { () throws(Failure) in try decode(type) }
  }

  /// Says that the callback failed: it is counted and reported, and everything goes on.
  ///
  /// - Parameter failure: Why.
  public func fail(_ failure: Failure) {
    mainstem_fail(event, failure.code.rawValue, failure.sentence)
  }

  /// Says how far the request that a handler got has come; any number of times, before its answer.
  ///
  /// - Parameter step: What is told. It is on the stream like any other notice.
  /// - Throws: ``Status/stale`` when the request has its answer, ``Status/invalid`` for what is no
  ///   request.
  public func progress<N: Notice>(_ step: N) throws(StreamError) {
    let number = try types.number(of: N.self)
    let bytes = try types.encode(step)
    try StreamError.check(mainstem_respond_progress(event, number, bytes, bytes.count))
  }

  /// Keeps a request, to answer it later and from any thread.
  ///
  /// - Parameter type: Its type.
  /// - Returns: What answers it.
  /// - Throws: Why it could not be kept.
  public func reply<R: Request>(to type: R.Type) throws(StreamError) -> Reply<R> {
    var retained: OpaquePointer?
    try StreamError.check(mainstem_event_retain(event, &retained))
    return Reply(retained, isTracked: isTracked, types: types)
  }
}
