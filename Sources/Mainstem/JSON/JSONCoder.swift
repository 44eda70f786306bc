// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// Encodes events as JSON text, which C and Python programs on the same context read and write.
///
/// Keys are the field names, sorted, so equal events give equal bytes. A field that is `nil` is left
/// out; a missing or null field decodes as `nil`. The bytes are those of Foundation's `JSONEncoder`, and
/// what it and `JSONDecoder` refuse is refused; common values take a shorter way.
public struct JSONCoder: PayloadCoder {
  private let drafts = Shelf { JSONDraft() }
  private let texts = Shelf { JSONText() }

  /// Makes a coder.
  public init() {}

  /// Encodes a value as JSON text.
  public func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    if let bytes = drafts.lend({ $0.encoded(value) }) { return bytes }
    return Array(try JSONCoder.encoder.encode(value))
  }

  /// Decodes a value from JSON text; unknown fields are ignored.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8]
  ) throws -> Value {
    do {
      return try bytes.withUnsafeBytes { bytes in
        try texts.lend { try $0.decoded(type, from: bytes) }
      }
    } catch {
      return try JSONCoder.decoder.decode(type, from: Data(bytes))
    }
  }

  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
  private static let decoder = JSONDecoder()
}
