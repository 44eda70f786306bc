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
