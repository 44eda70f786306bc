// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
