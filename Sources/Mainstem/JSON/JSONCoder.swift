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

/// A value found in JSON text, to say what it is.
indirect enum JSONFound {
  case null
  case bool(Bool)
  /// Its digits.
  case number(String)
  case text(String)
  case list([JSONFound])
  case object([String: JSONFound])

  /// The value at a path; `nil` if there is none.
  func value(at path: some Collection<any CodingKey>) -> JSONFound? {
    guard let key = path.first else { return self }
    switch self {
    case .object(let members): return members[key.stringValue]?.value(at: path.dropFirst())
    case .list(let elements):
      guard let index = key.intValue, elements.indices.contains(index) else { return nil }
      return elements[index].value(at: path.dropFirst())
    default: return nil
    }
  }

  /// What it is, in a message: `the text "Milk"`.
  var words: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let digits): "the number \(digits)"
    case .text(let text): "the text \(JSONFound.quoted(text))"
    case .list: "a list"
    case .object: "an object"
    }
  }

  /// The beginning of a text, in quotation marks and on one line.
  static func quoted(_ text: String) -> String {
    text.count > 40 ? String(text.prefix(40)).debugDescription + "…" : text.debugDescription
  }
}

extension JSONFound: Decodable {
  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Name.self) {
      var found: [String: JSONFound] = [:]
      for key in members.allKeys {
        found[key.stringValue] = try members.decode(JSONFound.self, forKey: key)
      }
      self = .object(found)
    } else if var elements = try? decoder.unkeyedContainer() {
      var found: [JSONFound] = []
      while !elements.isAtEnd { found.append(try elements.decode(JSONFound.self)) }
      self = .list(found)
    } else {
      try self.init(scalar: decoder.singleValueContainer())
    }
  }

  private init(scalar: any SingleValueDecodingContainer) throws {
    if scalar.decodeNil() {
      self = .null
    } else if let value = try? scalar.decode(Bool.self) {
      self = .bool(value)
    } else if let text = try? scalar.decode(String.self) {
      self = .text(text)
    } else if let whole = try? scalar.decode(Int64.self) {
      self = .number("\(whole)")
    } else {
      self = .number("\(try scalar.decode(Double.self))")
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }
}
