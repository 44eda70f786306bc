// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// 64 bits that tell whether two runs had the same events: see docs/journal-format.md.
package struct Digest: Equatable {
  package private(set) var bits: UInt64 = 0x9E37_79B9_7F4A_7C15

  package init() {}

  package init(bits: UInt64) { self.bits = bits }

  /// The digest of a name.
  package init(ofName name: UnsafeRawPointer, _ count: Int) { take(name, count) }

  /// Takes in one word.
  @inline(__always)
  package mutating func take(_ word: UInt64) {
    bits = (bits ^ word) &* 0x9FB2_1C65_1E98_DF25
    bits ^= bits >> 32
  }

  /// Takes in bytes as words of eight, the last one filled up with zeros.
  package mutating func take(_ bytes: UnsafeRawPointer, _ count: Int) {
    var place = 0
    while place &+ 8 <= count {
      take(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
      place &+= 8
    }
    guard place < count else { return }
    var word: UInt64 = 0
    var shift: UInt64 = 0
    while place < count {
      word |= UInt64(bytes.load(fromByteOffset: place, as: UInt8.self)) << shift
      shift &+= 8
      place &+= 1
    }
    take(word)
  }

  /// Takes in an event whose origin has a name with this digest.
  package mutating func take(_ event: UnsafePointer<mainstem_event>, origin: Digest) {
    take(event.pointee.position)
    take(event.pointee.cause)
    take(event.pointee.correlation)
    take(event.pointee.answers)
    take(UInt64(event.pointee.size) | UInt64(event.pointee.type) << 32)
    take(
      UInt64(UInt32(bitPattern: event.pointee.status)) | UInt64(
        event.pointee.flags & RecordFormat.toldFlags) << 32)
    take(origin.bits)
    guard let data = event.pointee.data, event.pointee.size > 0 else { return }
    take(data, Int(event.pointee.size))
  }
}
