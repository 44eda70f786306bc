// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What the stream knows while a source feeds it.
///
/// The atomics are for every thread. The rest is set under both locks, before anybody sees that the stream is fed;
/// `due` under the lock.
struct Feed: ~Copyable {
  /// When the source is wanted next, on the stream's clock.
  var due = Int64.max
  /// The version of the source's journal format.
  private(set) var version: UInt32 = 0
  /// The position before the first one that is fed.
  private(set) var start: UInt64 = 0
  /// Whether the stream kept times before it was fed.
  private(set) var keptTime = false
  /// The time of the last event that was fed, or that followed from one.
  private let time = Atomic<Int64>(0)
  /// How many sends of callbacks were not accepted.
  private let unaccepted = Atomic<UInt64>(0)

  mutating func begin(_ version: UInt32, after start: UInt64, keptTime: Bool) {
    self.version = version
    self.start = start
    self.keptTime = keptTime
    unaccepted.store(0, ordering: .relaxed)
  }

  mutating func reset() {
    due = .max
    version = 0
  }

  var clock: Int64 {
    get { time.load(ordering: .relaxed) }
    nonmutating set { time.store(Feed.sane(newValue), ordering: .relaxed) }
  }

  var leftOut: UInt64 { unaccepted.load(ordering: .relaxed) }

  func countLeftOut() { unaccepted.wrappingAdd(1, ordering: .relaxed) }

  /// Limits a time from a file to 146 years around 1970, so that calculations with it do not overflow.
  static func sane(_ time: Int64) -> Int64 {
    let most: Int64 = 1 << 62
    return max(-most, min(most, time))
  }
}
