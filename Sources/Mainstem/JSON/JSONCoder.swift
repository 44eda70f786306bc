// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// Encodes events as JSON text, which C and Python programs on the same context read and write.
///
/// Keys are the field names, sorted, so equal events give equal bytes. A field that is `nil` is left
/// out; a missing or null field decodes as `nil`. The bytes are those of Foundation's `JSONEncoder`, and
/// what it and `JSONDecoder` refuse is refused; common values take a shorter way.
///
/// `Date`, `UUID`, `Data`, `URL`, `Decimal` and `Duration` are texts that C and Python programs know. A `Set`, and a
/// `Dictionary` whose keys are no texts or whole numbers, is a list in the order of its encoded elements or keys, so
/// that it has the same bytes in each process.
public struct JSONCoder: PayloadCoder {
  private let drafts = Shelf { JSONDraft() }
  private let texts = Shelf { JSONText() }

  /// Makes a coder.
  public init() {}

  /// Encodes a value as JSON text.
  public func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    let (bytes, hasForms) = drafts.lend { ($0.encoded(value), $0.hasForms) }
    if let bytes { return bytes }
    if hasForms { return Array(try JSONCoder.encoder.encode(Judged(value: value))) }
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
      return try JSONCoder.judge(type, Data(bytes))
    }
  }

  /// Lets Foundation decide, first without our forms: that may be all it needs.
  private static func judge<Value: Decodable>(_ type: Value.Type, _ bytes: Data) throws -> Value {
    do {
      return try decoder.decode(type, from: bytes)
    } catch {
      let forms = MetForms()
      let decoder = JSONDecoder()
      decoder.userInfo = forms.userInfo
      do {
        return try decoder.decode(Judged<Value>.self, from: bytes).value
      } catch let inForms {
        throw forms.areMet ? inForms : error
      }
    }
  }

  /// Encodes the elements of what has no order of its own.
  static let ofElements = JSONCoder()

  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
  private static let decoder = JSONDecoder()
}
