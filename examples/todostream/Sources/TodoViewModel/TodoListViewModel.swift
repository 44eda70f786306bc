// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import TodoModel

/// A list, ready to be shown: the rows of its todos, and those of its deleted ones, which can be restored.
///
/// Both are in the order of the list, so a row is found by its todo in O(log n).
public struct TodoListViewModel: Sendable, Equatable, Identifiable {
  /// The id of the list.
  public let id: String
  /// The rows, in order.
  public private(set) var rows: [TodoViewModel]
  /// The rows of the deleted todos, in order.
  public private(set) var deletedRows: [TodoViewModel]
  /// How many rows are not complete.
  private var open: Int

  /// Makes the rows of a list's todos: leaves out other lists, and puts the rest in order.
  public init(id: String, todos: [Todo]) {
    self.id = id
    let all = todos.filter { $0.list == id }.inListOrder.map(TodoViewModel.init)
    rows = all.filter { !$0.isDeleted }
    deletedRows = all.filter(\.isDeleted)
    open = rows.count { !$0.isComplete }
  }

  /// What is shown beside the rows.
  public var summary: TodoListSummary {
    TodoListSummary(id: id, open: open, of: rows.count, deleted: deletedRows.count)
  }

  /// What is shown beside the rows that a query has found.
  public func summary(
    found: TodoListSummary.Found, deletedFound: TodoListSummary.Found
  ) -> TodoListSummary {
    TodoListSummary(
      id: id, open: open, of: rows.count, deleted: deletedRows.count, found: found,
      deletedFound: deletedFound)
  }

  /// All todos, those that are not deleted first.
  public var todos: [Todo] { (rows + deletedRows).map(\.todo) }

  /// Merges in a todo's current state: its row is where its order puts it, among those that are deleted or not.
  ///
  /// - Parameters:
  ///   - todo: The todo.
  ///   - old: The same todo as it is in the list; nil: it is not there yet.
  public mutating func merge(_ todo: Todo, replacing old: Todo?) {
    if let old { remove(old) }
    guard todo.list == id else { return }
    if todo.isDeleted {
      deletedRows.insert(todo)
    } else {
      rows.insert(todo)
      if !todo.isComplete { open += 1 }
    }
  }

  /// Removes the row of a todo, if it is there.
  ///
  /// - Parameter todo: The todo as it is in the list.
  public mutating func remove(_ todo: Todo) {
    if todo.isDeleted {
      deletedRows.remove(todo)
    } else if rows.remove(todo), !todo.isComplete {
      open -= 1
    }
  }
}

extension Array where Element == TodoViewModel {
  fileprivate mutating func insert(_ todo: Todo) {
    insert(TodoViewModel(todo), at: place(of: todo))
  }

  /// Returns whether it was there.
  @discardableResult
  fileprivate mutating func remove(_ todo: Todo) -> Bool {
    let place = place(of: todo)
    guard place < count, self[place].id == todo.id else { return false }
    remove(at: place)
    return true
  }

  /// Where the row of a todo is, or belongs.
  private func place(of todo: Todo) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].todo.precedes(todo) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
