// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A kept name: a copy in UTF-8, terminated by a zero. A value; whoever keeps it frees it.
package struct Name {
  package let text: UnsafeMutablePointer<CChar>
  package let count: Int

  /// Copies the bytes; nil without memory.
  package init?(copying bytes: Bytes) {
    guard let text = Memory.allocate(CChar.self, count: bytes.count &+ 1) else { return nil }
    UnsafeMutableRawPointer(text).copyMemory(from: bytes.start, byteCount: bytes.count)
    text[bytes.count] = 0
    self.text = text
    self.count = bytes.count
  }

  package var bytes: Bytes { Bytes(text, count) }

  package func free() { Memory.free(text) }
}

extension Name {
  /// Checks a name given by the host: UTF-8, 1 to 255 bytes.
  @_optimize(speed)
  package static func check(
    _ text: UnsafePointer<CChar>?, _ argument: Phrase
  ) throws(Refusal) -> Bytes {
    guard let text else { throw .null(argument) }
    var count = 0
    while count <= 255, text[count] != 0 { count &+= 1 }
    guard count > 0 else { throw Refusal(.invalid, argument, "is empty") }
    guard count <= 255 else { throw Refusal(.tooBig, argument, "is longer than 255 bytes") }
    let bytes = Bytes(text, count)
    guard bytes.isUTF8 else { throw Refusal(.invalid, argument, "is not UTF-8") }
    return bytes
  }
}
