// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The order key that a todo gets.
public struct TodoPlace: Sendable, Equatable, Codable {
  /// The id of the todo.
  public var id: Todo.ID
  /// Its order key.
  public var place: String

  /// Creates the place of a todo.
  public init(id: Todo.ID, place: String) {
    self.id = id
    self.place = place
  }
}

extension Array where Element == Todo {
  /// The places that move a todo: none if it is there already, one if there is room for a key, or else those of all.
  ///
  /// These are all todos of the list, in its order. The deleted ones are among them, so that each comes back where it
  /// was. A todo that is made later comes first: its key is lower than that of a todo that is made now, and this one's
  /// key is lower than all places that are returned.
  ///
  /// - Parameters:
  ///   - id: The todo to move.
  ///   - other: The todo that it goes in front of; `nil`: to the end.
  ///   - newest: The key of a todo that would be made now.
  public func places(
    moving id: Todo.ID, before other: Todo.ID?, behind newest: String
  ) -> [TodoPlace] {
    let shown = filter { !$0.isDeleted }.map(\.id)
    guard let from = shown.firstIndex(of: id), other != id,
      other != (from + 1 < shown.count ? shown[from + 1] : nil)
    else { return [] }

    var others = filter { $0.id != id }
    let at = others.firstIndex { $0.id == other } ?? others.count
    let before = at > 0 ? others[at - 1].key : newest
    let low = OrderKey.isLower(before, than: newest) ? newest : before
    if let key = OrderKey.between(low, at < others.count ? others[at].key : nil) {
      return [TodoPlace(id: id, place: key)]
    }
    others.insert(contentsOf: filter { $0.id == id }, at: at)
    return zip(others, OrderKey.spread(others.count)).map { TodoPlace(id: $0.id, place: $1) }
  }
}
