// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// How JSON has the values of a type: as they encode themselves, or in a form that all languages share.
enum JSONForm: UInt8 {
  case own
  case date, uuid, data, url, decimal, duration
  /// A set, or a dictionary whose keys are no texts: in the order of its encoded elements, not of their hashes.
  case hashed

  static func of(_ type: Any.Type) -> JSONForm {
    if type == Date.self { return .date }
    if type == UUID.self { return .uuid }
    if type == Data.self { return .data }
    if type == URL.self { return .url }
    if type == Decimal.self { return .decimal }
    if type == Duration.self { return .duration }
    return (type as? any HashOrdered.Type)?.isHashed ?? false ? .hashed : .own
  }
}

/// The forms of the types that were met, so that each is looked up once.
struct KnownForms: ~Copyable {
  private var types = InlineArray<64, ObjectIdentifier?>(repeating: nil)
  private var forms = InlineArray<64, JSONForm>(repeating: .own)

  @inline(__always)
  mutating func find(_ type: Any.Type) -> JSONForm {
    let identity = ObjectIdentifier(type)
    // Descriptions of types lie at least 16 bytes apart.
    let bits = UInt(bitPattern: identity)
    let place = Int(truncatingIfNeeded: (bits >> 4 ^ bits >> 10) & 63)
    if types[place] == identity { return forms[place] }
    return add(type, at: place)
  }

  @inline(never)
  private mutating func add(_ type: Any.Type, at place: Int) -> JSONForm {
    types[place] = ObjectIdentifier(type)
    forms[place] = JSONForm.of(type)
    return forms[place]
  }
}

/// What has no order but that of its hashes, which differs from process to process.
protocol HashOrdered {
  /// Whether that order would be seen.
  static var isHashed: Bool { get }

  /// What it encodes as a list, in the order of the encoded elements.
  func inOrder() throws -> [EncodedElement]
}

/// An element, and its JSON text.
struct EncodedElement {
  let bytes: [UInt8]
  let value: any Encodable

  init(_ value: any Encodable) throws {
    bytes = try JSONCoder.ofElements.encode(value)
    self.value = value
  }
}

extension Set: HashOrdered where Element: Encodable {
  static var isHashed: Bool { true }

  func inOrder() throws -> [EncodedElement] {
    try map { try EncodedElement($0) }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }
}

extension Dictionary: HashOrdered where Key: Encodable, Value: Encodable {
  /// Texts and whole numbers, and what is like them, are the keys of an object, which are sorted anyway.
  static var isHashed: Bool {
    !(Key.self == String.self || Key.self == Int.self
      || Key.self is any CodingKeyRepresentable.Type)
  }

  func inOrder() throws -> [EncodedElement] {
    let pairs = try map { (try EncodedElement($0.key), try EncodedElement($0.value)) }
    // Keys that differ may have one text.
    return pairs.sorted { left, right in
      left.0.bytes == right.0.bytes
        ? left.1.bytes.lexicographicallyPrecedes(right.1.bytes)
        : left.0.bytes.lexicographicallyPrecedes(right.0.bytes)
    }.flatMap { [$0.0, $0.1] }
  }
}
