// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension EventTypes {
  /// Encodes an event; if the coder refuses it, the call that sends it throws.
  func encode<E: Event>(_ event: E) throws(StreamError) -> [UInt8] {
    do {
      return try event.encoded(by: coder)
    } catch {
      throw StreamError(
        .invalid, EventTypes.message(of: error, in: E.self, isSecret: E.isSecret))
    }
  }

  /// Encodes an event for one call; the bytes of a secret are overwritten after it.
  func withBytes<E: Event, Result>(
    of event: E, _ body: ([UInt8]) throws(StreamError) -> Result
  ) throws(StreamError) -> Result {
    var bytes = try encode(event)
    defer { if E.isSecret { bytes.wipe() } }
    return try body(bytes)
  }

  /// Decodes the event in a delivery; bytes that cannot be decoded are a failure, never a trap.
  func decode<E: Event>(_ type: E.Type, from event: mainstem_event) throws(Failure) -> E {
    if event.flags & UInt32(MAINSTEM_EVENT_SECRET) == 0 {
      return try decode(type, from: spareBytes(of: event), isSecret: false)
    }
    var bytes = [UInt8](
      ofSecret: UnsafeRawBufferPointer(start: event.data, count: Int(event.size)))
    defer { bytes.wipe() }
    return try decode(type, from: bytes, isSecret: true)
  }

  /// The payload, in the memory of an earlier one.
  func spareBytes(of event: mainstem_event) -> [UInt8] {
    spares.lend {
      $0.copy(of: UnsafeRawBufferPointer(start: event.data, count: Int(event.size)))
    }
  }

  /// Decodes the event in a payload.
  ///
  /// - Parameter isSecret: Whether the payload is a secret; it may belong to a type other than `type`.
  func decode<E: Event>(
    _ type: E.Type, from bytes: [UInt8], isSecret: Bool
  ) throws(Failure) -> E {
    do {
      return try type.decoded(from: bytes, by: coder)
    } catch {
      let isSecret = isSecret || E.isSecret
      throw Failure(
        EventTypes.message(of: error, in: E.self, bytes, isSecret: isSecret), code: .invalid)
    }
  }

  static func bytes(of event: mainstem_event) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: event.data, count: Int(event.size)))
  }

  /// What is wrong, after the type and the field: "ResponseTodo: todo.title: …". For a secret only the type: the
  /// error may quote the value, and the path contains the keys of dictionaries.
  ///
  /// - Parameter bytes: What was decoded; `nil` if the event was encoded.
  static func message<E: Event>(
    of error: any Error, in type: E.Type, _ bytes: [UInt8]? = nil, isSecret: Bool
  ) -> String {
    if isSecret { return "\(E.name): <secret>" }
    let problem = CodingProblem(error, in: E.payload == .json ? bytes : nil)
    return "\(E.name): \(problem?.message ?? String(describing: error))"
  }
}
