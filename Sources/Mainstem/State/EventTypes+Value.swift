// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Values as payloads: scalars, texts and numbers of scopes as they are, everything else as the coder writes it.
extension EventTypes {
  /// What the bytes of a value look like.
  static func payload(of type: Any.Type) -> Payload {
    if let scalar = type as? any Scalar.Type { return scalar.payload }
    if type == [UInt64].self { return .bytes }
    return type == String.self ? .text : .json
  }

  /// Decodes what an event shows.
  func value<Value: Decodable>(
    _ type: Value.Type = Value.self, of event: mainstem_event
  ) throws -> Value {
    let bytes = spareBytes(of: event)
    if let scalar = type as? any Scalar.Type, let value = scalar.read(from: bytes) as? Value {
      return value
    }
    if type == String.self, let text = String(decoding: bytes, as: UTF8.self) as? Value {
      return text
    }
    if type == [UInt64].self, let numbers = EventTypes.numbers(in: bytes) as? Value {
      return numbers
    }
    return try coder.decode(type, from: bytes)
  }

  /// Encodes what a view writes.
  func bytes<Value: Encodable>(of value: Value) throws(StreamError) -> [UInt8] {
    // By the type: an optional is JSON, whatever it holds.
    if Value.self is any Scalar.Type, let scalar = value as? any Scalar { return scalar.written }
    if Value.self == String.self, let text = value as? String { return Array(text.utf8) }
    if Value.self == [UInt64].self, let numbers = value as? [UInt64] {
      return numbers.withUnsafeBytes { Array($0) }
    }
    do {
      return try coder.encode(value)
    } catch {
      throw StreamError(.invalid, "\(Value.self): \(error)")
    }
  }
}

extension EventTypes {
  /// The numbers of scopes.
  private static func numbers(in bytes: [UInt8]) -> [UInt64] {
    bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count & ~7, by: 8).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
      }
    }
  }
}

extension Scalar {
  /// Nil if the bytes are none of its values.
  fileprivate static func read(from bytes: [UInt8]) -> Self? {
    guard bytes.count == MemoryLayout<Self>.size, payload != .bool || bytes[0] <= 1 else {
      return nil
    }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: Self.self) }
  }

  fileprivate var written: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}
