// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

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
    } else if Value.self == Data.self || Value.self == URL.self || Value.self == Decimal.self {
      ofFoundation(value, piece)
    } else {
      return false
    }
    return true
  }

  /// Writes the types of Foundation that JSON has a form of its own for.
  @inline(never)
  private func ofFoundation<Value: Encodable>(_ value: Value, _ piece: Int32) {
    switch value {
    case let data as Data: scalar(piece) { write(data.base64EncodedString()) }
    case let url as URL: scalar(piece) { write(url.absoluteString) }
    default:
      isBeyond = true
      scalar(piece) {}
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
