// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A text of the library's own, for a message: one word, where a `StaticString` has three. A refusal holds two texts, and
/// most functions contain code that passes one on, word by word.
package struct Phrase: @unchecked Sendable {  // a constant: read only, and always there
  /// The text, zero-terminated.
  package let text: UnsafePointer<CChar>
}

extension Phrase: ExpressibleByStringLiteral {
  @inline(__always)
  package init(stringLiteral literal: StaticString) {
    text = UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

extension Phrase {
  package var bytes: Bytes { Bytes(zeroEnded: text) }
}
