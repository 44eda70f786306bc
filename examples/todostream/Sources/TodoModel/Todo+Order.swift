// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Todo {
  /// The order key that puts the todo where it is in its list.
  public var key: String { place ?? OrderKey.derived(from: order) }

  /// The one order of a list: the lowest key first, then the newest, then by id.
  ///
  /// No two different todos are equal in it, so a list looks the same wherever it is sorted. Todos that were moved to the
  /// same place at the same time, by two programs, have equal keys.
  public func precedes(_ other: Todo) -> Bool {
    if place == nil, other.place == nil {
      // As their keys do, but faster.
      if order != other.order { return order > other.order }
    } else {
      let (key, otherKey) = (key, other.key)
      if OrderKey.isLower(key, than: otherKey) { return true }
      if OrderKey.isLower(otherKey, than: key) { return false }
    }
    if createdAt != other.createdAt { return createdAt > other.createdAt }
    return id < other.id
  }
}

extension Array where Element == Todo {
  /// The todos in the order of their list.
  public var inListOrder: [Todo] { sorted { $0.precedes($1) } }
}
