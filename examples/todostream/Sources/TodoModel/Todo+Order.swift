// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Todo {
  /// The one order of a list: the highest `order` first, then the newest, then by id.
  ///
  /// No two different todos are equal in it, so a list looks the same wherever it is sorted.
  public func precedes(_ other: Todo) -> Bool {
    if order != other.order { return order > other.order }
    if createdAt != other.createdAt { return createdAt > other.createdAt }
    return id < other.id
  }
}

extension Array where Element == Todo {
  /// The todos in the order of their list.
  public var inListOrder: [Todo] { sorted { $0.precedes($1) } }
}
