// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The digests of a stream's origins' names, by number. For one thread at a time; no lock held.
struct OriginDigests: ~Copyable {
  private var digests: UnsafeMutablePointer<Digest>?
  private var count = 0
  private var capacity = 0

  deinit { Memory.free(digests) }

  /// The digest of an origin's name; without memory, of none.
  mutating func digest(of origin: UInt32, on stream: Stream) -> Digest {
    guard origin != 0 else { return Digest() }
    if Int(origin) > count { learn(stream) }
    guard Int(origin) <= count, let digests else { return Digest() }
    return digests[Int(origin) &- 1]
  }

  private mutating func learn(_ stream: Stream) {
    stream.locked {
      let known = stream.state.pointee.origins.count
      if known > capacity {
        guard let fresh = Memory.allocate(Digest.self, count: known &* 2) else { return }
        if let digests { fresh.moveInitialize(from: digests, count: count) }
        Memory.free(digests)
        digests = fresh
        capacity = known &* 2
      }
      while count < known, let name = stream.state.pointee.origins[UInt32(count &+ 1)] {
        (digests! + count).initialize(to: Digest(ofName: name.start, name.count))
        count &+= 1
      }
    }
  }
}
