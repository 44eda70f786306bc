// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
