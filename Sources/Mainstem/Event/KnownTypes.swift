// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The types that a context knows, found without a lock. None is ever removed.
struct KnownTypes: ~Copyable {
  private let buckets = InlineArray<64, KnownLink> { _ in KnownLink() }

  /// The known type for a Swift type.
  @inline(__always)
  func find(_ type: any Event.Type) -> KnownType? {
    let type = ObjectIdentifier(type)
    var known = buckets[KnownTypes.bucket(of: type)].load()
    while let found = known, found.type != type { known = found.next.load() }
    return known
  }

  /// Adds a type, unless another thread has added it meanwhile.
  ///
  /// - Returns: The one that is known from now on.
  func add(_ new: KnownType) -> KnownType {
    var known = buckets[KnownTypes.bucket(of: new.type)].storeIfNone(new)
    while known.type != new.type { known = known.next.storeIfNone(new) }
    return known
  }

  @inline(__always)
  private static func bucket(of type: ObjectIdentifier) -> Int {
    // Descriptions of types lie at least 16 bytes apart.
    let bits = UInt(bitPattern: type)
    return Int(truncatingIfNeeded: (bits >> 4 ^ bits >> 10) & 63)
  }
}

/// A place for a known type, which is filled once.
struct KnownLink: ~Copyable {
  private let place = Atomic<UnsafeMutableRawPointer?>(nil)

  deinit {
    // `storeIfNone` retained it.
    if let known = place.load(ordering: .acquiring) {
      Unmanaged<KnownType>.fromOpaque(known).release()
    }
  }

  @inline(__always)
  func load() -> KnownType? {
    guard let known = place.load(ordering: .acquiring) else { return nil }
    // Retained for as long as the link lives.
    return Unmanaged<KnownType>.fromOpaque(known).takeUnretainedValue()
  }

  /// Stores a type, unless there is one.
  ///
  /// - Returns: The one that is there now.
  func storeIfNone(_ new: KnownType) -> KnownType {
    // Released by the link, or below.
    let kept = Unmanaged.passRetained(new)
    let (stored, known) = place.compareExchange(
      expected: nil, desired: kept.toOpaque(), ordering: .acquiringAndReleasing)
    guard !stored, let known else { return new }
    kept.release()
    // Retained for as long as the link lives.
    return Unmanaged<KnownType>.fromOpaque(known).takeUnretainedValue()
  }
}
