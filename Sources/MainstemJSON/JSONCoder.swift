// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
public import Mainstem

/// Events as JSON text: what C and Python programs on the same context read and write.
///
/// Keys are the names of the fields, sorted, so that equal events are equal bytes. A field that is
/// `nil` is left out, and one that is missing or null is `nil`.
public struct JSONCoder: PayloadCoder {
  private let encoder: JSONEncoder
  private let decoder: JSONDecoder

  /// Makes a coder.
  public init() {
    encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    decoder = JSONDecoder()
  }

  /// The JSON text of a value.
  public func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    Array(try encoder.encode(value))
  }

  /// The value that JSON text stands for; fields that it does not know are left out.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8]
  ) throws -> Value {
    try decoder.decode(type, from: Data(bytes))
  }
}
