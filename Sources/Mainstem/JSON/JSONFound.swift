// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
