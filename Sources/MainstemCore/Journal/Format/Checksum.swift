// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// CRC-32C, as used in journals: see docs/journal-format.md.
package enum Checksum {
  /// The checksum of bytes, continued from that of the bytes before them; 0: there are none.
  @inline(__always)
  package static func of(_ bytes: UnsafeRawPointer, _ count: Int, after seed: UInt32 = 0) -> UInt32
  {
    mainstem_p_crc32c(seed, bytes, count)
  }
}
