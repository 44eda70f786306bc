// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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

/// The coder of a context that was made with `coder: nil`: it refuses every value.
struct NoCoder: PayloadCoder {
  private struct Refusal: Error, CustomStringConvertible {
    let description = "the context was made without a payload coder: give it one, JSONCoder()"
  }

  func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    throw Refusal()
  }

  func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    throw Refusal()
  }
}

/// Decodes types without fields: events that are sent without a payload.
struct EmptyDecoder: Decoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw EmptyDecoder.failure
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw EmptyDecoder.failure }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw EmptyDecoder.failure
  }

  private static var failure: DecodingError {
    .dataCorrupted(
      .init(codingPath: [], debugDescription: "an event without a payload has nothing to decode"))
  }
}

// MARK: - Events to bytes, and back

extension EventTypes {
  /// Encodes an event; if the coder refuses it, the call that sends it throws.
  func encode<E: Event>(_ event: E) throws(StreamError) -> [UInt8] {
    do {
      return try event.encoded(by: coder)
    } catch {
      throw StreamError(
        .invalid, EventTypes.message(of: error, in: E.self, isSecret: E.isSecret))
    }
  }

  /// Encodes an event for one call; the bytes of a secret are overwritten after it.
  func withBytes<E: Event, Result>(
    of event: E, _ body: ([UInt8]) throws(StreamError) -> Result
  ) throws(StreamError) -> Result {
    var bytes = try encode(event)
    defer { if E.isSecret { bytes.wipe() } }
    return try body(bytes)
  }

  /// Decodes the event in a delivery; bytes that cannot be decoded are a failure, never a trap.
  func decode<E: Event>(
    _ type: E.Type, from pointer: UnsafePointer<mainstem_event>
  ) throws(Failure) -> E {
    if pointer.pointee.flags & UInt32(MAINSTEM_EVENT_LIST) != 0 {
      return try list(type, from: pointer, nil)
    }
    return try plain(type, from: pointer)
  }

  /// Decodes the event of a list. Apart, because it needs more of the type than other events do.
  @inline(never)
  func list<E: Event>(
    _ type: E.Type, from event: UnsafePointer<mainstem_event>, _ reading: ListReading?
  ) throws(Failure) -> E {
    if let list = type as? any ListEvent.Type, let read = try list.read(event, self, reading) as? E
    {
      return read
    }
    return try plain(type, from: event)
  }

  /// Decodes the event in a payload that is no list.
  private func plain<E: Event>(
    _ type: E.Type, from event: UnsafePointer<mainstem_event>
  ) throws(Failure) -> E {
    let event = event.pointee
    if event.flags & UInt32(MAINSTEM_EVENT_SECRET) == 0 {
      return try decode(type, from: spareBytes(of: event), isSecret: false)
    }
    var bytes = [UInt8](
      ofSecret: UnsafeRawBufferPointer(start: event.data, count: Int(event.size)))
    defer { bytes.wipe() }
    return try decode(type, from: bytes, isSecret: true)
  }

  /// The payload, in the memory of an earlier one.
  func spareBytes(of event: mainstem_event) -> [UInt8] {
    spares.lend {
      $0.copy(of: UnsafeRawBufferPointer(start: event.data, count: Int(event.size)))
    }
  }

  /// Decodes the event in a payload.
  ///
  /// - Parameter isSecret: Whether the payload is a secret; it may belong to a type other than `type`.
  func decode<E: Event>(
    _ type: E.Type, from bytes: [UInt8], isSecret: Bool
  ) throws(Failure) -> E {
    do {
      return try type.decoded(from: bytes, by: coder)
    } catch {
      let isSecret = isSecret || E.isSecret
      throw Failure(
        EventTypes.message(of: error, in: E.self, bytes, isSecret: isSecret), code: .invalid)
    }
  }

  static func bytes(of event: mainstem_event) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: event.data, count: Int(event.size)))
  }

  /// What is wrong, after the type and the field: "ResponseTodo: todo.title: …". For a secret only the type: the
  /// error may quote the value, and the path contains the keys of dictionaries.
  ///
  /// - Parameter bytes: What was decoded; `nil` if the event was encoded.
  static func message<E: Event>(
    of error: any Error, in type: E.Type, _ bytes: [UInt8]? = nil, isSecret: Bool
  ) -> String {
    if isSecret { return "\(E.name): <secret>" }
    let problem = CodingProblem(error, in: E.payload == .json ? bytes : nil)
    return "\(E.name): \(problem?.message ?? String(describing: error))"
  }
}

// MARK: - What could not be coded

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
