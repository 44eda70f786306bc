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
  @exclusivity(unchecked) var forms = KnownForms()
  @exclusivity(unchecked) private var containers = KeptContainers()
  /// Itself, if somebody has kept its container: it lives as long then, and is not used again.
  private var lost: JSONText?

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
    defer { if !containers.takeBack() { lost = self } }
    let value = try decode(type, at: 0)
    if isBeyond { throw Beyond() }
    return value
  }

  /// The container for the members of the whole value.
  @inline(__always)
  func whole<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    if let kept = containers.lend(type) {
      // Kept below, for the same type of keys.
      return unsafeBitCast(kept, to: KeyedDecodingContainer<Key>.self)
    }
    return made(keyedBy: type)
  }

  @inline(never)
  private func made<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    guard containers.mayLend,
      MemoryLayout<KeyedDecodingContainer<Key>>.size == MemoryLayout<AnyObject>.size
    else { return KeyedDecodingContainer(JSONObjectDecoding<Key>(text: self, object: 0)) }
    let made = KeyedDecodingContainer(JSONObjectDecoding<Key>(keptBy: self))
    // A container is nothing but a reference to its box, which then counts who has it.
    containers.keep(unsafeBitCast(made, to: AnyObject.self), type)
    return made
  }

  /// What is thrown when Foundation's decoder has to decide.
  struct Beyond: Error {}

  func beyond() -> Beyond {
    isBeyond = true
    return Beyond()
  }
}
