// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// How the values of one type travel: a scalar, a text and numbers of scopes as they are, everything else as JSON.
@usableFromInline enum ValueForm {
  case bool, integer, number, text, scopes, json

  /// ``with(_:_:)`` for one type.
  @usableFromInline typealias Write<Value> = (
    ValueForm, Value, (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool

  init(_ type: Any.Type) {
    if type == Bool.self {
      self = .bool
    } else if type == Int.self || type == Int64.self {
      self = .integer
    } else if type == Double.self {
      self = .number
    } else if type == String.self {
      self = .text
    } else {
      self = type == [UInt64].self ? .scopes : .json
    }
  }

  var payload: Payload {
    switch self {
    case .bool: .bool
    case .integer: .integer
    case .number: .number
    case .text: .text
    case .scopes: .bytes
    case .json: .json
    }
  }

  /// Encodes a value of the type.
  func bytes<Value: Encodable>(of value: Value, _ types: EventTypes) throws -> [UInt8] {
    var bytes: [UInt8] = []
    if with(value, { bytes = Array($0) }) { return bytes }
    return try types.coder.encode(value)
  }

  /// Passes the bytes of a value to `body`; false: it is JSON.
  ///
  /// The casts say what the form knows. Compiled with the program, which knows the type, they cost nothing.
  @inlinable func with<Value>(
    _ value: Value, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows -> Bool {
    switch self {
    case .bool:
      guard let value = value as? Bool else { return false }
      try withUnsafeBytes(of: value, body)
    case .integer:
      guard let value = value as? Int ?? (value as? Int64).map(Int.init) else { return false }
      try withUnsafeBytes(of: value, body)
    case .number:
      guard let value = value as? Double else { return false }
      try withUnsafeBytes(of: value, body)
    case .text:
      guard var value = value as? String else { return false }
      try value.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    case .scopes:
      guard let value = value as? [UInt64] else { return false }
      try value.withUnsafeBytes(body)
    case .json: return false
    }
    return true
  }

  /// Decodes what an event shows.
  func value<Value: Decodable>(
    _ type: Value.Type, of event: mainstem_event, _ types: EventTypes
  ) throws -> Value {
    let bytes = UnsafeRawBufferPointer(start: event.data, count: Int(event.size))
    switch self {
    case .bool, .integer, .number: return try scalar(type, in: bytes)
    case .text:
      if let text = String(decoding: bytes, as: UTF8.self) as? Value { return text }
    case .scopes:
      let numbers = stride(from: 0, to: bytes.count & ~7, by: 8).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
      }
      if let numbers = numbers as? Value { return numbers }
    case .json: break
    }
    return try types.coder.decode(type, from: types.spareBytes(of: event))
  }

  private func scalar<Value>(_ type: Value.Type, in bytes: UnsafeRawBufferPointer) throws -> Value {
    guard bytes.count == MemoryLayout<Value>.size, self != .bool || bytes[0] <= 1 else {
      let message = "\(bytes.count) bytes, which are no \(type)"
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: message))
    }
    if let start = bytes.baseAddress,
      UInt(bitPattern: start) % UInt(MemoryLayout<Value>.alignment) == 0
    {
      return start.load(as: Value.self)
    }
    // The memory of an array is aligned.
    return Array(bytes).withUnsafeBytes { $0.load(as: Value.self) }
  }
}
