// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Delivery {
  /// Decodes the event.
  ///
  /// - Parameter type: Its type; if the payload does not fit the type, the call throws.
  /// - Returns: The event.
  /// - Throws: ``Status/invalid``, with a message that names type and field.
  public func decode<E: Event>(_ type: E.Type) throws(Failure) -> E {
    try types.decode(type, from: event.pointee)
  }

  /// Decodes the response, or its failure.
  ///
  /// - Parameter type: The response type.
  /// - Returns: The response or its failure.
  public func result<R: Response>(_ type: R.Type) -> Result<R, Failure> {
    if let failure { return .failure(failure) }
    do throws(Failure) { return .success(try decode(type)) } catch { return .failure(error) }
  }

  /// Marks the callback as failed. The failure is counted and reported; the subscription lives on.
  ///
  /// - Parameter failure: Why.
  public func fail(_ failure: Failure) {
    mainstem_fail(event, failure.code.rawValue, failure.recorded)
  }

  /// Reports progress of the request a handler got. May be called any number of times before the answer.
  ///
  /// - Parameter step: The notice to send. It is on the stream like any other.
  /// - Throws: ``Status/stale`` if the request has its answer, ``Status/invalid`` if the event is not a
  ///   request.
  public func progress<N: Notice>(_ step: N) throws(StreamError) {
    let number = try types.number(of: N.self)
    let bytes = try types.encode(step)
    try StreamError.check(mainstem_respond_progress(event, number, bytes, bytes.count))
  }

  /// Keeps a request, to answer it later, from any thread.
  ///
  /// - Parameter type: The request type.
  /// - Returns: The reply that answers it.
  /// - Throws: The reason it could not be kept.
  public func reply<R: Request>(to type: R.Type) throws(StreamError) -> Reply<R> {
    var retained: OpaquePointer?
    try StreamError.check(mainstem_event_retain(event, &retained))
    return Reply(retained, isTracked: isTracked, types: types)
  }
}
