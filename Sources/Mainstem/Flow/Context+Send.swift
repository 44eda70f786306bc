// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Puts an event on the stream.
  ///
  /// Outside callbacks it has reached all its observers, and so has what they sent, when the call
  /// returns. Inside a callback it is delivered after the current event.
  ///
  /// - Parameter event: What happened, or what is asked.
  /// - Throws: Why it was not accepted.
  public func send<E: Event>(_ event: E) throws(StreamError) {
    let number = try types.number(of: E.self)
    let bytes = try types.encode(event)
    try StreamError.check(mainstem_send(handle, number, bytes, bytes.count))
  }

  /// Puts many events of a type on the stream with one call, in order.
  ///
  /// Each is a turn of its own, as with ``send(_:)``. The first that is refused ends it.
  ///
  /// - Parameter events: What happened, or what is asked.
  /// - Throws: Why one was not accepted; those before it were.
  public func send<E: Event>(contentsOf events: some Collection<E>) throws(StreamError) {
    let number = try types.number(of: E.self)
    let start = events.count * MemoryLayout<mainstem_header>.size
    var headers: [mainstem_header] = []
    var payloads: [UInt8] = []
    for event in events {
      let bytes = try types.encode(event)
      var header = mainstem_header()
      header.type = number
      header.size = UInt32(clamping: bytes.count)
      header.offset = UInt32(clamping: start + payloads.count)
      headers.append(header)
      payloads += bytes
    }
    let batch = headers.withUnsafeBytes { Array($0) } + payloads
    try StreamError.check(mainstem_send_many(handle, batch, batch.count, headers.count, nil))
  }

  /// What other threads use to hand events of a type to this context.
  ///
  /// - Parameter type: The type of event.
  /// - Returns: A value to give to other threads.
  /// - Throws: Why the type could not be registered.
  public func poster<E: Event>(for type: E.Type) throws(StreamError) -> Poster<E> {
    Poster(handle, number: try types.number(of: type), types: types)
  }
}
