// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A value being encoded: the texts of its scalars, and which belongs where.
///
/// Members may come in any order, and containers may be filled in turns; so the text is made when all
/// is there. A draft is used again for the next value.
final class JSONDraft {
  @exclusivity(unchecked) var bytes = Scratch<UInt8>(capacity: 1024)
  @exclusivity(unchecked) var pieces = Scratch<JSONPiece>(capacity: 64)
  /// The pieces of the objects being written, sorted.
  @exclusivity(unchecked) var order = Scratch<Int32>(capacity: 64)
  /// The text of all pieces.
  @exclusivity(unchecked) var whole = Scratch<UInt8>(capacity: 1024)
  let result = SpareBytes()
  /// Whether the value needs more than a draft can do; Foundation's encoder takes it then.
  @exclusivity(unchecked) var isBeyond = false
  /// Whether it has values in forms that Foundation's encoder does not know.
  @exclusivity(unchecked) var hasForms = false
  @exclusivity(unchecked) var forms = KnownForms()
  @exclusivity(unchecked) private var containers = KeptContainers()
  /// Itself, if somebody has kept its container: it lives as long then, and is not used again.
  private var lost: JSONDraft?

  deinit {
    bytes.free()
    pieces.free()
    order.free()
    whole.free()
  }

  /// Encodes a value from the beginning.
  ///
  /// - Returns: The text; `nil` if Foundation's encoder has to decide.
  func encoded<Value: Encodable>(_ value: Value) -> [UInt8]? {
    bytes.clear()
    pieces.clear()
    order.clear()
    whole.clear()
    (isBeyond, hasForms) = (false, false)
    pieces.append(JSONPiece(keyStart: 0, keyEnd: 0, parent: -1))
    defer { if !containers.takeBack() { lost = self } }
    do { try encode(value, into: 0) } catch { return nil }
    return isBeyond || pieces.start[0].kind == .nothing ? nil : text()
  }

  /// The container for the members of the whole value.
  @inline(__always)
  func whole<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    containers.container(keyedBy: type) { isKept in
      KeyedEncodingContainer(
        isKept
          ? JSONObjectEncoding<Key>(keptBy: self) : JSONObjectEncoding<Key>(draft: self, object: 0))
    }
  }

  /// Adds an element to an array.
  func element(of array: Int32) -> Int32 {
    add(JSONPiece(keyStart: 0, keyEnd: 0, parent: array))
  }

  /// Adds a member to an object.
  func member(of object: Int32, _ key: String) -> Int32 {
    let start = UInt32(truncatingIfNeeded: bytes.count)
    let head = write(key: key)
    let end = UInt32(truncatingIfNeeded: bytes.count)
    return add(JSONPiece(keyStart: start, keyEnd: end, keyHead: head, parent: object))
  }

  /// Makes a piece an object or an array; it may be one already.
  func open(_ piece: Int32, as kind: JSONPiece.Kind) {
    let piece = pieces.start + Int(piece)
    if piece.pointee.kind == .nothing { piece.pointee.kind = kind }
    if piece.pointee.kind != kind { isBeyond = true }
  }

  /// Writes a scalar with `body`.
  @inline(__always)
  func scalar(_ piece: Int32, _ body: () throws -> Void) rethrows {
    if pieces.start[Int(piece)].kind != .nothing { isBeyond = true }
    let start = UInt32(truncatingIfNeeded: bytes.count)
    try body()
    let piece = pieces.start + Int(piece)
    piece.pointee.kind = .scalar
    piece.pointee.textStart = start
    piece.pointee.textEnd = UInt32(truncatingIfNeeded: bytes.count)
  }

  private func add(_ piece: JSONPiece) -> Int32 {
    if bytes.count > 1 << 30 || pieces.count > 1 << 28 {
      // More than the numbers of a piece can hold. What is in the draft is dropped.
      isBeyond = true
      bytes.clear()
      pieces.shorten(to: 1)
      return 0
    }
    let number = Int32(truncatingIfNeeded: pieces.count)
    pieces.append(piece)
    let parent = pieces.start + Int(piece.parent)
    if parent.pointee.last < 0 {
      parent.pointee.first = number
    } else {
      pieces.start[Int(parent.pointee.last)].next = number
    }
    parent.pointee.last = number
    parent.pointee.count &+= 1
    return number
  }
}

/// A value in a draft: a member of an object, an element of an array, or the whole.
struct JSONPiece: BitwiseCopyable {
  enum Kind: UInt8 { case nothing, scalar, object, array }

  var kind = Kind.nothing
  /// In the draft's bytes: `"key":`, then the text of a scalar.
  var keyStart: UInt32
  var keyEnd: UInt32
  /// The first eight bytes of the key, which decide most comparisons.
  var keyHead: UInt64 = 0
  var textStart: UInt32 = 0
  var textEnd: UInt32 = 0
  /// Other pieces, by number; -1: none.
  var parent: Int32
  var next: Int32 = -1
  var first: Int32 = -1
  var last: Int32 = -1
  /// Members or elements.
  var count: Int32 = 0
}

// MARK: - Values

extension JSONDraft {
  /// Encodes any value into a piece.
  func encode<Value: Encodable>(_ value: Value, into piece: Int32) throws {
    if try isScalar(value, piece) { return }
    do {
      try value.encode(to: JSONEncoding(draft: self, piece: piece))
    } catch {
      // Somebody may catch the error; what remains of the value then, Foundation knows.
      isBeyond = true
      throw error
    }
    // What encodes nothing is an empty object, unless it is the whole.
    if piece > 0, pieces.start[Int(piece)].kind == .nothing { open(piece, as: .object) }
  }

  /// Writes the types that need no containers of their own.
  private func isScalar<Value: Encodable>(_ value: Value, _ piece: Int32) throws -> Bool {
    if Value.self == String.self {
      scalar(piece) { write(known(value, as: String.self)) }
    } else if Value.self == Int.self {
      scalar(piece) { write(known(value, as: Int.self)) }
    } else if Value.self == Double.self {
      try scalar(piece) { try write(known(value, as: Double.self)) }
    } else if Value.self == Bool.self {
      scalar(piece) { write(known(value, as: Bool.self)) }
    } else {
      let form = forms.find(Value.self)
      if form == .own { return false }
      try write(value, form, piece)
    }
    return true
  }

  /// Writes the types that have a form of their own.
  @inline(never)
  private func write<Value: Encodable>(
    _ value: Value, _ form: JSONForm, _ piece: Int32
  ) throws {
    hasForms = true
    do {
      guard form == .hashed, let value = value as? any HashOrdered else {
        let text = try WireForm.text(of: value)
        return scalar(piece) { write(text) }
      }
      let elements = try value.inOrder()
      scalar(piece) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
          if index > 0 { bytes.append(UInt8(ascii: ",")) }
          write(raw: element.bytes)
        }
        bytes.append(UInt8(ascii: "]"))
      }
    } catch {
      isBeyond = true
      throw error
    }
  }

  private func write(raw text: [UInt8]) {
    text.withUnsafeBufferPointer { text in
      guard let start = text.baseAddress else { return }
      bytes.extend(by: text.count).update(from: start, count: text.count)
    }
  }

  /// The keys that lead to a piece.
  func path(to piece: Int32) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var number = Int(piece)
    while number > 0, number < pieces.count, path.count < pieces.count {
      let piece = pieces.start[number]
      let parent = pieces.start[Int(piece.parent)]
      if parent.kind == .array {
        var (index, other) = (0, parent.first)
        while other >= 0, other != Int32(number) {
          (index, other) = (index + 1, pieces.start[Int(other)].next)
        }
        path.append(JSONKey(intValue: index))
      } else {
        let key = UnsafeBufferPointer(
          start: bytes.start + Int(piece.keyStart) + 1,
          count: Int(piece.keyEnd - piece.keyStart) - 3)
        path.append(JSONKey(stringValue: String(decoding: key, as: UTF8.self)))
      }
      number = Int(piece.parent)
    }
    return path.reversed()
  }
}

/// A step of a coding path.
struct JSONKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }

  init(intValue: Int) { (stringValue, self.intValue) = ("Index \(intValue)", intValue) }
}

/// A generic value, as the type that the caller has found it to be.
@inline(__always)
func known<Value, Known>(_ value: Value, as type: Known.Type) -> Known {
  // The types are the same, so the bits are.
  unsafeBitCast(value, to: type)
}
