// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Observers that wait for their turn to join and whose queue refuses: a send asks them.
///
/// Under the stream's lock; any thread may ask whether there are any. They have their turn in the order of the list.
struct Joiners: ~Copyable {
  private var waiting = List<Subscription, Subscription.Joining>()
  private let count = Atomic<UInt32>(0)

  @inline(__always)
  var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

  /// Adds an observer, if its queue refuses.
  mutating func add(_ subscription: Subscription.Pointer) {
    guard subscription.pointee.refuses else { return }
    waiting.append(subscription)
    count.wrappingAdd(1, ordering: .relaxed)
  }

  /// Removes the observer whose turn has come, if it is listed.
  mutating func remove(_ subscription: Subscription.Pointer) {
    guard waiting.first == subscription else { return }
    waiting.remove(subscription)
    count.wrappingSubtract(1, ordering: .relaxed)
  }

  /// Visits them, until `visit` returns false.
  func all(_ visit: (Subscription.Pointer) -> Bool) -> Bool { waiting.all(visit) }
}
