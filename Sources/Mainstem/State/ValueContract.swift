// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a type of values carries, whoever has declared it. It is the one thing that says how a value travels: not the
/// Swift type that happens to be at hand, of which equal bytes may mean something else.
struct ValueContract {
  let name: String
  let payload: Payload
  /// The Swift type that this program has declared; nil: none.
  let type: Any.Type?
  /// Whether it is a list: then `payload` and `type` are those of a row.
  var isList = false

  /// What each row of a list carries.
  var ofRow: ValueContract { ValueContract(name: name, payload: payload, type: type) }

  /// The same for messages about one row.
  func ofRow(_ index: Int) -> ValueContract {
    ValueContract(name: "\(name)[\(index)]", payload: payload, type: type)
  }

  /// What it is called in a message.
  var typeName: String {
    if isList { return "list of \(ofRow.typeName)" }
    if let type { return "\(type)" }
    return switch payload {
    case .none: "nothing"
    case .bytes: "bytes"
    case .text: "String"
    case .json: "JSON"
    case .structure(let size): "a C struct of \(size) bytes"
    case .bool: "Bool"
    case .integer: "Int"
    case .number: "Double"
    }
  }

  private func refusal(of other: Any.Type, _ why: String) -> StreamError {
    StreamError(.invalid, "\(name) is of type \(typeName), and this is \(other)\(why)")
  }

  /// Refuses a secret, which is a text, where something else is needed.
  func demandText() throws(StreamError) {
    if payload != .text { throw refusal(of: SecretText.self, "") }
  }

}

/// Writing.
extension ValueContract {
  /// Encodes a value as what the type carries. A whole number becomes one with a fraction where that is exact, and JSON
  /// what the declared type makes of it where nothing is lost; nothing else is converted.
  func bytes<Value: Encodable>(of value: Value, _ types: EventTypes) throws(StreamError) -> [UInt8]
  {
    if let event = value as? any Event, Swift.type(of: event).name == name {
      return try types.encode(event)
    }
    if isList { throw refusal(of: Value.self, ": views do not write a list") }
    switch payload {
    case .none: break
    case .bool: if let value = value as? Bool { return value ? [1] : [0] }
    case .integer:
      if let value = value as? Int { return ValueContract.memory(of: value) }
      if let value = value as? any BinaryInteger {
        guard let whole = Int64(exactly: value) else { throw refusal(of: Value.self, ", too big") }
        return ValueContract.memory(of: whole)
      }
    case .number:
      if let value = value as? Double { return ValueContract.memory(of: value) }
      if let value = value as? any BinaryInteger {
        guard let number = Double(exactly: value) else {
          throw refusal(of: Value.self, ", which it cannot hold exactly")
        }
        return ValueContract.memory(of: number)
      }
      if let value = value as? any BinaryFloatingPoint {
        return ValueContract.memory(of: Double(value))
      }
    case .text:
      if let value = value as? String { return Array(value.utf8) }
      if let value = value as? Substring { return Array(value.utf8) }
    case .bytes:
      if let value = value as? [UInt64] { return value.withUnsafeBytes { Array($0) } }
      if let value = value as? [UInt8] { return value }
    case .structure(let size):
      if let value = value as? [UInt8], value.count == size { return value }
    case .json: return try json(of: value, types)
    }
    throw refusal(of: Value.self, "")
  }

  /// Encodes what a request is made with: a value, or nothing.
  func bytes(ofGiven value: (any Encodable)?, _ types: EventTypes) throws(StreamError) -> [UInt8] {
    if let value { return try bytes(of: value, types) }
    if payload == .none { return [] }
    throw StreamError(.invalid, "\(name) needs a value of type \(typeName)")
  }

  private static func memory<Value: BitwiseCopyable>(of value: Value) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }

  private func json<Value: Encodable>(
    of value: Value, _ types: EventTypes
  ) throws(StreamError) -> [UInt8] {
    do {
      let bytes = try types.coder.encode(value)
      guard let type = type as? any Decodable.Type, type != Value.self else { return bytes }
      if try again(bytes, as: type, types) == bytes { return bytes }
    } catch let error as EncodingError {
      throw StreamError(.invalid, "\(Value.self): \(CodingProblem(error)?.message ?? "\(error)")")
    } catch let error as DecodingError {
      let why = CodingProblem(error)?.message ?? "\(error)"
      throw refusal(of: Value.self, ": \(why)")
    } catch {
      throw StreamError(.invalid, "\(Value.self): \(error)")
    }
    throw refusal(of: Value.self, ", which it cannot hold exactly")
  }

  /// What another type makes of a value.
  private func again<Value: Decodable>(
    _ bytes: [UInt8], as type: Value.Type, _ types: EventTypes
  ) throws -> [UInt8] {
    let value = try types.coder.decode(type, from: bytes)
    guard let value = value as? any Encodable else { return bytes }
    return try types.coder.encode(value)
  }
}

/// Reading.
extension ValueContract {
  /// Refuses to read the values as a type that they cannot be.
  func checkReading<Value>(as reader: Value.Type) throws(StreamError) {
    if let event = reader as? any Event.Type, event.name == name { return }
    if isList { return try checkReadingList(as: reader) }
    if payload != .json, let maybe = reader as? any Maybe.Type { return try maybe.check(self) }
    let fits =
      switch payload {
      case .none: false
      case .bool: reader == Bool.self
      case .integer: reader is any FixedWidthInteger.Type || isFraction(reader)
      case .number: isFraction(reader)
      case .text: reader == String.self
      case .bytes: reader == [UInt64].self || reader == [UInt8].self
      case .structure: reader == [UInt8].self
      case .json: true
      }
    if !fits { throw unreadable(reader) }
  }

  private func checkReadingList(as reader: Any.Type) throws(StreamError) {
    if let list = reader as? any ListReader.Type { return try list.checkRows(ofRow) }
    guard let maybe = reader as? any Maybe.Type else { throw unreadable(reader) }
    try maybe.check(self)
  }

  private func unreadable(_ reader: Any.Type) -> StreamError {
    StreamError(.invalid, "\(name) is of type \(typeName), and cannot be read as \(reader)")
  }

  /// Whether each Double is one of these.
  private func isFraction(_ type: Any.Type) -> Bool {
    func holds<Number: BinaryFloatingPoint>(_ type: Number.Type) -> Bool {
      Number(Double.leastNonzeroMagnitude) != 0
        && Number(Double.pi) != Number(Double.pi.nextUp)
    }
    guard let type = type as? any BinaryFloatingPoint.Type else { return false }
    return holds(type)
  }

  /// Decodes a value.
  ///
  /// - Parameter reading: What the observer knows of the list, if it is one.
  func value<Value: Decodable>(
    _ reader: Value.Type, of pointer: UnsafePointer<mainstem_event>, _ types: EventTypes,
    _ reading: ListReading?
  ) throws -> Value {
    if isList { return try list(reader, of: pointer, types, reading) }
    let event = pointer.pointee
    let form = ValueForm(reader)
    if form.payload == payload, form != .json { return try form.value(reader, of: event, types) }
    if let reader = reader as? any Event.Type, reader.name == name,
      let value = try types.decode(reader, from: pointer) as? Value
    {
      return value
    }
    if payload != .json, let maybe = reader as? any Maybe.Type,
      let value = try maybe.read(self, pointer, types, nil) as? Value
    {
      return value
    }
    let value: Value?
    switch payload {
    case .integer: value = exactly(try ValueForm.integer.value(Int.self, of: event, types))
    case .number: value = exactly(try ValueForm.number.value(Double.self, of: event, types))
    case .bytes, .structure: value = EventTypes.bytes(of: event) as? Value
    case .json: return try json(reader, EventTypes.bytes(of: event), types)
    case .none, .bool, .text: value = nil
    }
    if let value { return value }
    throw Failure(
      "\(name) is of type \(typeName), and cannot be read as \(reader) exactly", code: .invalid)
  }

  private func list<Value: Decodable>(
    _ reader: Value.Type, of event: UnsafePointer<mainstem_event>, _ types: EventTypes,
    _ reading: ListReading?
  ) throws -> Value {
    let value: Any? =
      if let list = reader as? any ListReader.Type {
        try list.read(event, self, types, reading)
      } else if let type = reader as? any ListEvent.Type, type.name == name {
        try type.read(event, types, reading)
      } else if let maybe = reader as? any Maybe.Type {
        try maybe.read(self, event, types, reading)
      } else {
        nil
      }
    guard let value = value as? Value else { throw unreadable(reader) }
    return value
  }

  private func exactly<Value>(_ number: Int) -> Value? {
    if let type = Value.self as? any FixedWidthInteger.Type {
      return type.init(exactly: number) as? Value
    }
    guard let type = Value.self as? any BinaryFloatingPoint.Type else { return nil }
    return type.init(exactly: number) as? Value
  }

  private func exactly<Value>(_ number: Double) -> Value? {
    (Value.self as? any BinaryFloatingPoint.Type).flatMap { $0.init(number) as? Value }
  }

  private func json<Value: Decodable>(
    _ reader: Value.Type, _ bytes: [UInt8], _ types: EventTypes
  ) throws -> Value {
    do {
      return try types.coder.decode(reader, from: bytes)
    } catch let error as DecodingError {
      let why = CodingProblem(error, in: bytes)?.message ?? "\(error)"
      let other = type.map { $0 == reader } ?? true ? "" : ", and cannot be read as \(reader)"
      throw Failure("\(name) is of type \(typeName)\(other): \(why)", code: .invalid)
    }
  }
}

/// A value, or none: what a row reads into a variable that is empty before.
private protocol Maybe {
  static func check(_ contract: ValueContract) throws(StreamError)
  static func read(
    _ contract: ValueContract, _ event: UnsafePointer<mainstem_event>, _ types: EventTypes,
    _ reading: ListReading?
  ) throws -> Any
}

extension Optional: Maybe where Wrapped: Decodable {
  fileprivate static func check(_ contract: ValueContract) throws(StreamError) {
    try contract.checkReading(as: Wrapped.self)
  }

  fileprivate static func read(
    _ contract: ValueContract, _ event: UnsafePointer<mainstem_event>, _ types: EventTypes,
    _ reading: ListReading?
  ) throws -> Any {
    Optional.some(try contract.value(Wrapped.self, of: event, types, reading)) as Any
  }
}

/// What a context's types of values carry, as far as anybody has asked.
final class ValueContracts {
  private let lock = Lock()
  private var known: [mainstem_event_type: ValueContract] = [:]
  private var declared: [mainstem_event_type: Any.Type] = [:]

  func find(_ number: mainstem_event_type) -> ValueContract? { lock.locked { known[number] } }

  func add(_ contract: ValueContract, _ number: mainstem_event_type) -> ValueContract {
    lock.locked {
      let contract = ValueContract(
        name: contract.name, payload: contract.payload, type: declared[number],
        isList: contract.isList)
      known[number] = contract
      return contract
    }
  }

  func declare(_ type: Any.Type, _ number: mainstem_event_type) {
    lock.locked {
      declared[number] = type
      known[number] = nil
    }
  }
}

extension EventTypes {
  /// What a type of values carries.
  func contract(of number: mainstem_event_type) throws(StreamError) -> ValueContract {
    if let found = contracts.find(number) { return found }
    var info = mainstem_type_info()
    info.size = UInt32(MemoryLayout<mainstem_type_info>.size)
    try StreamError.check(mainstem_type_read(home, number, &info))
    let name = info.name.map { String(cString: $0) } ?? ""
    return contracts.add(
      ValueContract(
        name: name, payload: Payload(info.contract), type: nil,
        isList: info.contract & MAINSTEM_LIST != 0), number)
  }

  /// Refuses to read a type's values as what they cannot be.
  func checkReading<Value>(
    _ number: mainstem_event_type, as type: Value.Type
  ) throws(StreamError) {
    try contract(of: number).checkReading(as: type)
  }

  /// Decodes what an event shows.
  func value<Value: Decodable>(
    _ type: Value.Type = Value.self, of event: UnsafePointer<mainstem_event>,
    _ reading: ListReading? = nil
  ) throws -> Value {
    try contract(of: event.pointee.type).value(type, of: event, self, reading)
  }
}

extension Payload {
  /// What a contract says.
  fileprivate init(_ contract: mainstem_contract) {
    self =
      switch contract & MAINSTEM_PAYLOAD_MASK {
      case MAINSTEM_PAYLOAD_BYTES: .bytes
      case MAINSTEM_PAYLOAD_TEXT: .text
      case MAINSTEM_PAYLOAD_JSON: .json
      case MAINSTEM_PAYLOAD_STRUCT: .structure(size: UInt32(truncatingIfNeeded: contract))
      case MAINSTEM_PAYLOAD_BOOL: .bool
      case MAINSTEM_PAYLOAD_INTEGER: .integer
      case MAINSTEM_PAYLOAD_NUMBER: .number
      default: .none
      }
  }
}

// MARK: - For the test kit

extension Context {
  /// Decodes what a view model has shown or told, for a test kit.
  ///
  /// - Parameters:
  ///   - bytes: The payload.
  ///   - name: The name of its type, such as `Lookup.summary`.
  ///   - type: The type of the value.
  package func shown<Value: Decodable>(
    _ bytes: [UInt8], of name: String, as type: Value.Type
  ) throws -> Value {
    let form = ValueForm(type)
    let contract = try types.contract(of: try types.number(named: name))
    guard contract.payload == form.payload else {
      throw StreamError(
        .invalid, "\(name) is of type \(contract.typeName), and cannot be read as \(type)")
    }
    return try bytes.withUnsafeBytes { bytes in
      var event = mainstem_event()
      (event.data, event.size) = (bytes.baseAddress, UInt32(bytes.count))
      return try form.value(type, of: event, types)
    }
  }
}
