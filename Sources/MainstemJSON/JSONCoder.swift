// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
public import Mainstem

/// Encodes events as JSON text, which C and Python programs on the same context read and write.
///
/// Keys are the field names, sorted, so equal events give equal bytes. A field that is `nil` is left
/// out; a missing or null field decodes as `nil`.
public struct JSONCoder: PayloadCoder {
  private let encoder: JSONEncoder
  private let decoder: JSONDecoder

  /// Makes a coder.
  public init() {
    encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    decoder = JSONDecoder()
  }

  /// Encodes a value as JSON text.
  public func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    Array(try encoder.encode(value))
  }

  /// Decodes a value from JSON text; unknown fields are ignored.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8]
  ) throws -> Value {
    try decoder.decode(type, from: Data(bytes))
  }
}
