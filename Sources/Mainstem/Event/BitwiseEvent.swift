// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An event whose payload is the struct itself, byte by byte: what a C program sends or reads as a struct.
///
/// Nothing is encoded or decoded, so it costs little more than in C. Its fields are numbers, `Bool`, and
/// structs and tuples of them, laid out in their order, as in C. Python and `mainstem tree` see bytes only.
///
///     struct Moved: Notice, BitwiseEvent {  // struct moved { int32_t x, y; };
///       var x: Int32
///       var y: Int32
///     }
///
/// A field of another type, as an optional or an enum, is refused with ``Status/invalid`` when the type is
/// first used: not every byte from C would be a value of it.
public protocol BitwiseEvent: Event, BitwiseCopyable {}

extension BitwiseEvent {
  /// Exactly as many bytes as the struct has in C.
  public static var payload: Payload {
    MemoryLayout<Self>.size == 0
      ? .none : .structure(size: UInt32(clamping: MemoryLayout<Self>.stride))
  }

  /// Returns the bytes of the struct; those between its fields are 0.
  public func encoded(by coder: any PayloadCoder) throws -> [UInt8] {
    let layout = try BitwiseLayout.of(Self.self)
    var bytes = [UInt8](repeating: 0, count: layout.size)
    withUnsafeBytes(of: self) { own in
      for index in 0..<own.count where layout.isUsed[index] { bytes[index] = own[index] }
    }
    return bytes
  }

  /// Makes the event from the bytes of the struct.
  public static func decoded(from bytes: [UInt8], by coder: any PayloadCoder) throws -> Self {
    let layout = try BitwiseLayout.of(Self.self)
    guard bytes.count == layout.size else {
      throw layout.refusal("\(bytes.count) bytes, and the struct has \(layout.size)")
    }
    for index in layout.bools where bytes[index] > 1 {
      throw layout.refusal("byte \(index) is \(bytes[index]), and a Bool is 0 or 1")
    }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: Self.self) }
  }
}

/// Where the fields of a struct lie.
struct BitwiseLayout {
  /// As in C: with the room that the next element of an array would need.
  let size: Int
  /// Whether a byte belongs to a field. What lies between is arbitrary in memory, and 0 in a payload.
  private(set) var isUsed: [Bool]
  /// The bytes that must be 0 or 1.
  private(set) var bools: [Int] = []
  /// Why the type cannot travel as its bytes.
  private(set) var lack: String?

  /// Whether each byte is a field's, and may have any value.
  let isDense: Bool

  private init<E: BitwiseEvent>(_ type: E.Type) {
    size = MemoryLayout<E>.size == 0 ? 0 : MemoryLayout<E>.stride
    var fields = Fields(isUsed: [Bool](repeating: false, count: size))
    // Zeros are a value of everything that is allowed; where they are not, only the fields' types are read.
    let zeros = [UInt8](repeating: 0, count: max(size, MemoryLayout<E>.stride))
    fields.add(zeros.withUnsafeBytes { $0.loadUnaligned(as: E.self) }, at: 0, named: "")
    isUsed = fields.isUsed
    bools = fields.bools
    lack = fields.lack
    isDense = lack == nil && bools.isEmpty && isUsed.allSatisfy { $0 } && size > 0
  }

  /// The layout of a type.
  ///
  /// - Throws: Why it cannot travel as its bytes.
  static func of<E: BitwiseEvent>(_ type: E.Type) throws -> BitwiseLayout {
    let key = ObjectIdentifier(type)
    let layout =
      known.locked { $0[key] }
      ?? {
        let layout = BitwiseLayout(type)
        known.locked { $0[key] = layout }
        return layout
      }()
    if let lack = layout.lack { throw layout.refusal(lack) }
    return layout
  }

  func refusal(_ message: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: message))
  }

  /// The layouts known so far, of all contexts.
  private static let known = Locked<[ObjectIdentifier: BitwiseLayout]>([:])
}

/// The fields found so far, in the order in which they lie.
private struct Fields {
  var isUsed: [Bool]
  var bools: [Int] = []
  var lack: String?

  /// Adds a value at an offset, with all within it.
  mutating func add<Value>(_ value: Value, at offset: Int, named name: String) {
    if Value.self == Bool.self { bools.append(offset) }
    let mirror = Mirror(reflecting: value)
    // The type itself is asked: an optional number is a number for `value is`.
    if Value.self == Bool.self || Value.self is any FixedWidthInteger.Type
      || Value.self is any BinaryFloatingPoint.Type
    {
      return use(offset, MemoryLayout<Value>.size)
    }
    guard mirror.displayStyle == .struct || mirror.displayStyle == .tuple else {
      lack =
        lack ?? "\(name): \(Value.self) is no number and no struct of numbers: remove BitwiseEvent"
      return
    }
    // A struct of C may keep its fields to itself.
    if mirror.children.isEmpty { return use(offset, MemoryLayout<Value>.size) }
    var next = offset
    for child in mirror.children {
      next = add(child.value, after: next, named: child.label ?? name)
    }
  }

  /// Adds a field behind others, where its alignment lets it lie.
  private mutating func add<Value>(_ value: Value, after end: Int, named name: String) -> Int {
    let alignment = MemoryLayout<Value>.alignment
    let offset = (end + alignment - 1) / alignment * alignment
    add(value, at: offset, named: name)
    return offset + MemoryLayout<Value>.size
  }

  private mutating func use(_ offset: Int, _ size: Int) {
    for index in offset..<min(offset + size, isUsed.count) { isUsed[index] = true }
  }
}
