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

  /// The digest of an event's payload, length and status.
  package init(ofPayload event: UnsafePointer<mainstem_event>) {
    let status = UInt64(UInt32(bitPattern: event.pointee.status))
    take(UInt64(event.pointee.size) | status << 32)
    if let data = event.pointee.data { take(data, Int(event.pointee.size)) }
  }

  /// Mixes in one word.
  @inline(__always)
  package mutating func take(_ word: UInt64) {
    bits = (bits ^ word) &* 0x9FB2_1C65_1E98_DF25
    bits ^= bits >> 32
  }

  /// Mixes in bytes as words of eight bytes, the last one padded with zeros.
  @inline(__always)
  package mutating func take(_ bytes: UnsafeRawPointer, _ count: Int) {
    let end = bytes + count
    var next = bytes
    while end - next >= 32 {
      take(word(at: next))
      take(word(at: next + 8))
      take(word(at: next + 16))
      take(word(at: next + 24))
      next += 32
    }
    while end - next >= 8 {
      take(word(at: next))
      next += 8
    }
    if next < end { take(lastWord(from: next, to: end, of: count)) }
  }

  @inline(__always)
  private func word(at place: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
  }

  /// The last, partial word. If a whole word ends there, it is taken from that.
  @inline(__always)
  private func lastWord(
    from start: UnsafeRawPointer, to end: UnsafeRawPointer, of count: Int
  ) -> UInt64 {
    if count >= 8 { return word(at: end - 8) &>> UInt64(64 &- 8 &* (end - start)) }
    var word: UInt64 = 0
    var next = end
    while next > start {
      next -= 1
      word = word << 8 | UInt64(next.load(as: UInt8.self))
    }
    return word
  }

  /// Mixes in an event whose origin's name has this digest.
  package mutating func take(_ event: UnsafePointer<mainstem_event>, origin: Digest) {
    // A local copy stays in a register; `self` would be stored after each word.
    var digest = self
    digest.take(event.pointee.position)
    digest.take(event.pointee.cause)
    digest.take(event.pointee.correlation)
    digest.take(event.pointee.answers)
    digest.take(UInt64(event.pointee.size) | UInt64(event.pointee.type) << 32)
    digest.take(
      UInt64(UInt32(bitPattern: event.pointee.status)) | UInt64(
        event.pointee.flags & RecordFormat.countedFlags) << 32)
    digest.take(origin.bits)
    if let data = event.pointee.data, event.pointee.size > 0 {
      digest.take(data, Int(event.pointee.size))
    }
    self = digest
  }
}

/// The digests of a stream's origin names, by number. For one thread at a time; no lock held.
struct OriginDigests: ~Copyable {
  private var known = RecordedOrigins()

  deinit {
    var known = known
    known.freeMemory()
  }

  /// The digest of an origin's name; for a forgotten origin, the digest of no name.
  mutating func digest(of origin: UInt32, on stream: Stream) -> Digest {
    guard origin != 0 else { return Digest() }
    if let found = known.find(origin) { return found.digest }
    let digest = stream.locked {
      stream.state.pointee.scopes.describe(origin).map {
        Digest(ofName: $0.name.start, $0.name.count)
      }
    }
    guard let digest else { return Digest() }
    return known.add(origin, digest).digest
  }

  mutating func forget(_ origin: UInt32) { known.forget(origin) }
}
