// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A JSON text being decoded: a copy of it, and its values in order.
///
/// It reads plain JSON only. What it refuses, or is not sure of, goes to Foundation's decoder, which decides.
final class JSONText {
  @exclusivity(unchecked) var bytes = Scratch<UInt8>(capacity: 1024)
  @exclusivity(unchecked) var tokens = Scratch<JSONToken>(capacity: 64)
  /// How far the text has been read.
  @exclusivity(unchecked) var at = 0
  @exclusivity(unchecked) var isASCII = true
  /// Whether Foundation's decoder has to decide, even if all was decoded.
  @exclusivity(unchecked) var isBeyond = false

  deinit {
    bytes.free()
    tokens.free()
  }

  /// Decodes a value. Whatever it throws, Foundation's decoder has to decide.
  func decoded<Value: Decodable>(
    _ type: Value.Type, from text: UnsafeRawBufferPointer
  ) throws -> Value {
    bytes.clear()
    tokens.clear()
    (at, isASCII, isBeyond) = (0, true, false)
    guard text.count < 1 << 30, let start = text.baseAddress else { throw beyond() }
    bytes.extend(by: text.count)
      .update(from: start.assumingMemoryBound(to: UInt8.self), count: text.count)
    // A zero ends the text, so that a look at the next byte is always allowed.
    bytes.append(0)
    try scan()
    let value = try decode(type, at: 0)
    if isBeyond { throw Beyond() }
    return value
  }

  /// What is thrown when Foundation's decoder has to decide.
  struct Beyond: Error {}

  func beyond() -> Beyond {
    isBeyond = true
    return Beyond()
  }
}
