// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The path of a journal, as our own copy.
package struct JournalPath: ~Copyable {
  private let name: Name

  package init(_ bytes: Bytes) throws(Refusal) {
    guard let name = Name(copying: bytes) else { throw .noMemory }
    self.name = name
  }

  deinit { name.free() }

  package var bytes: Bytes { name.bytes }
  package var text: UnsafePointer<CChar> { UnsafePointer(name.text) }
}
