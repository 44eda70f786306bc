// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Puts an event on the stream.
  ///
  /// Outside callbacks, the event and everything its immediate observers send have reached all
  /// immediate observers when the call returns. Inside a callback, it is delivered after the
  /// current event.
  ///
  /// - Parameter event: The event.
  /// - Throws: The reason it was not accepted.
  public func send<E: Event>(_ event: E) throws(StreamError) {
    let type = try types.type(of: E.self)
    if type.isDense {
      return try StreamError.check(
        withUnsafeBytes(of: event) { mainstem_send(handle, type.number, $0.baseAddress, $0.count) })
    }
    try types.withBytes(of: event) { bytes throws(StreamError) in
      try StreamError.check(mainstem_send(handle, type.number, bytes, bytes.count))
    }
  }

  /// Puts many events of a type on the stream, in order.
  ///
  /// Each event is a turn of its own, as with ``send(_:)``. The call stops at the first event that is
  /// refused.
  ///
  /// - Parameter events: The events.
  /// - Throws: The reason an event was refused; the events before it were sent.
  public func send<E: Event>(contentsOf events: some Collection<E>) throws(StreamError) {
    let number = try types.number(of: E.self)
    let start = events.count * MemoryLayout<mainstem_event_header>.size
    var headers: [mainstem_event_header] = []
    var payloads: [UInt8] = []
    for event in events {
      let bytes = try types.encode(event)
      var header = mainstem_event_header()
      header.type = number
      guard let size = UInt32(exactly: bytes.count),
        let offset = UInt32(exactly: start + payloads.count)
      else { throw StreamError(.tooBig, "send: contentsOf: together they need more than 4 GiB") }
      (header.size, header.offset) = (size, offset)
      headers.append(header)
      payloads += bytes
    }
    let batch = headers.withUnsafeBytes { Array($0) } + payloads
    try StreamError.check(mainstem_send_many(handle, batch, batch.count, headers.count, nil))
  }

  /// Makes a poster, which hands events of a type to this context from other threads.
  ///
  /// - Parameter type: The event type.
  /// - Returns: The poster, to give to other threads.
  /// - Throws: The reason the type could not be registered.
  public func poster<E: Event>(for type: E.Type) throws(StreamError) -> Poster<E> {
    Poster(handle, number: try types.number(of: type), types: types)
  }
}
