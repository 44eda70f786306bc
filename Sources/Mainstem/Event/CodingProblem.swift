// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Why a value was not decoded or encoded: the field, what was expected, what was there. A decoder says it in words of
/// its own, which mean nothing to who wrote the event.
struct CodingProblem {
  /// The field, as a program writes it: "todos[2].title"; empty for the whole value.
  let field: String
  let what: String

  /// The field and what is wrong with it.
  var message: String { field.isEmpty ? what : "\(field): \(what)" }

  /// Makes a problem of an error; `nil` if a coder did not throw it.
  ///
  /// - Parameter json: The JSON text that was decoded; `nil`: it is not known, or not JSON.
  init?(_ error: any Error, in json: [UInt8]? = nil) {
    let found = json.flatMap { try? JSONCoder().decode(JSONFound.self, from: $0) }
    if let json, found == nil, error is DecodingError {
      self.init(at: [], CodingProblem.notJSON(json))
      return
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      let object = found?.value(at: context.codingPath)
      self.init(at: context.codingPath + [key], "is missing" + CodingProblem.others(in: object))
    case DecodingError.typeMismatch(let type, let context):
      self.init(
        at: context.codingPath,
        CodingProblem.expected(type, context, found?.value(at: context.codingPath)))
    case DecodingError.valueNotFound(let type, let context):
      let value = found?.value(at: context.codingPath)
      let isAtEnd = found != nil && value == nil
      self.init(
        at: context.codingPath,
        isAtEnd
          ? "expected \(CodingProblem.words(of: type)), and the list ends"
          : CodingProblem.expected(type, context, value ?? .null))
    case DecodingError.dataCorrupted(let context):
      self.init(
        at: context.codingPath,
        CodingProblem.corrupted(context.debugDescription, isJSON: found != nil))
    case EncodingError.invalidValue(let value, let context):
      self.init(at: context.codingPath, CodingProblem.unwritable(value, context))
    default: return nil
    }
  }

  private init(at path: [any CodingKey], _ what: String) {
    field = path.reduce("") { field, key in
      // The place in a list has a text, "Index 2", that only a decoder understands.
      if let index = key.intValue, key.stringValue == "Index \(index)" {
        return "\(field)[\(index)]"
      }
      return field.isEmpty ? key.stringValue : "\(field).\(key.stringValue)"
    }
    self.what = what
  }
}

extension CodingProblem {
  private static func notJSON(_ bytes: [UInt8]) -> String {
    guard !bytes.isEmpty else { return "expected JSON, got an empty payload" }
    return "expected JSON, got \(JSONFound.quoted(String(decoding: bytes, as: UTF8.self)))"
  }

  /// The fields that an object has instead of a missing one.
  private static func others(in object: JSONFound?) -> String {
    guard case .object(let members)? = object else { return "" }
    guard !members.isEmpty else { return "; there are no fields" }
    let names = members.keys.sorted()
    let shown = names.prefix(8).joined(separator: ", ")
    return "; the fields are \(shown)\(names.count > 8 ? ", …" : "")"
  }

  private static func expected(
    _ type: Any.Type, _ context: DecodingError.Context, _ found: JSONFound?
  ) -> String {
    let expected = "expected \(words(of: type))"
    if let found { return "\(expected), got \(found.words)" }
    // Foundation's: "Expected to decode Int but found a string instead."
    let parts = context.debugDescription.split(separator: " but found ")
    guard parts.count == 2, let got = parts[1].split(separator: " instead").first else {
      return expected
    }
    return "\(expected), got \(got)"
  }

  private static func words(of type: Any.Type) -> String {
    let name = "\(type)"
    if name.hasPrefix("Dictionary<") { return "an object" }
    if name.hasPrefix("Array<") { return "a list" }
    return name
  }

  private static func corrupted(_ description: String, isJSON: Bool) -> String {
    // Foundation's message for a number as well, and without its field.
    guard isJSON, description == "The given data was not valid JSON." else { return description }
    return "a number in it does not fit its field"
  }

  private static func unwritable(_ value: Any, _ context: EncodingError.Context) -> String {
    if let number = value as? any BinaryFloatingPoint, !number.isFinite {
      return "\(value) is no number in JSON: send a finite one, or nil"
    }
    return context.debugDescription
  }
}
