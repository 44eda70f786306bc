// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Encodes events as payloads and decodes them, for a whole context.
///
/// A context has a ``JSONCoder`` unless another is named: C and Python understand its payloads.
public protocol PayloadCoder: Sendable {
  /// Encodes a value.
  ///
  /// - Parameter value: An event.
  /// - Returns: The same bytes for equal values.
  /// - Throws: An `EncodingError` for a value that cannot be encoded.
  func encode<Value: Encodable>(_ value: Value) throws -> [UInt8]

  /// Decodes a value from a payload.
  ///
  /// - Parameters:
  ///   - type: The event type.
  ///   - bytes: The payload.
  /// - Returns: The event.
  /// - Throws: A `DecodingError` for bytes that cannot be decoded.
  func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value
}
