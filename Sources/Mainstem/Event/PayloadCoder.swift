// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Turns events into payloads and back, for a whole context.
///
/// `JSONCoder` of the module `MainstemJSON` is the one to use, and what C and Python understand.
public protocol PayloadCoder: Sendable {
  /// The payload of a value.
  ///
  /// - Parameter value: An event.
  /// - Returns: The same bytes for equal values.
  /// - Throws: An `EncodingError` for a value that has no such form.
  func encode<Value: Encodable>(_ value: Value) throws -> [UInt8]

  /// The value that a payload stands for.
  ///
  /// - Parameters:
  ///   - type: The type of event.
  ///   - bytes: The payload.
  /// - Returns: The event.
  /// - Throws: A `DecodingError` for bytes that are no such event.
  func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value
}
