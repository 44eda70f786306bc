// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import TodoModel

/// A list, ready to be shown: its rows in the order they are shown.
public struct TodoListViewModel: Sendable, Equatable, Identifiable {
  /// The id of the list.
  public let id: String
  /// The rows, in order.
  public private(set) var rows: [TodoViewModel]
  /// Whether these are the deleted todos, which can be restored, or the others.
  public let isDeleted: Bool

  /// Makes the rows of a list's todos: leaves out those not to show, and puts the rest in the list's order.
  public init(id: String, todos: [Todo], deleted isDeleted: Bool = false) {
    self.id = id
    self.isDeleted = isDeleted
    let shown = todos.filter { $0.list == id && $0.isDeleted == isDeleted }
    rows = shown.inListOrder.map(TodoViewModel.init)
  }

  /// One line about the whole list.
  public var summary: String {
    if isDeleted { return rows.isEmpty ? "Nothing is deleted." : "\(rows.count) deleted" }
    if rows.isEmpty { return "Nothing to do." }
    return "\(rows.count { !$0.isComplete }) of \(rows.count) to do"
  }

  /// Merges in a todo's current state and returns the changes. Without changes the rows look as before.
  ///
  /// An unknown todo is inserted where its order puts it. A todo that is not to be shown is removed, if it was there. The
  /// places are new ones of any todos, in the same order: these rows get them, and are not reloaded.
  public mutating func merge(_ todo: Todo, _ places: [TodoPlace] = []) -> [Change] {
    let new = Dictionary(places.map { ($0.id, $0.place) }, uniquingKeysWith: { _, last in last })
    var todos = rows.map(\.todo).filter { $0.id != todo.id } + [todo]
    for at in todos.indices { todos[at].place = new[todos[at].id] ?? todos[at].place }
    let merged = TodoListViewModel(id: id, todos: todos, deleted: isDeleted)
    let changes = Change.between(
      rows, merged.rows, moving: todo.id, reloading: { !$0.looksLike($1) })
    rows = merged.rows
    return changes
  }

  /// Removes the row of a todo and returns the change; none if there is no such row.
  public mutating func remove(_ id: Todo.ID) -> [Change] {
    guard let place = rows.firstIndex(where: { $0.id == id }) else { return [] }
    rows.remove(at: place)
    return [.delete(at: place)]
  }
}

extension TodoListViewModel: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, rows, deleted, summary
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    rows = try container.decode([TodoViewModel].self, forKey: .rows)
    isDeleted = try container.decode(Bool.self, forKey: .deleted)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(rows, forKey: .rows)
    try container.encode(isDeleted, forKey: .deleted)
    try container.encode(summary, forKey: .summary)
  }
}
