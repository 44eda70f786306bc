// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import TodoModel
import TodoViewModel

/// What a query has selected from a list, until one of them changes: each of the values asks for it.
final class SelectedRows {
  typealias Both = (rows: Selection<TodoViewModel>, deleted: Selection<TodoViewModel>)

  private var known: Both?

  /// The list or the query has changed.
  func forget() { known = nil }

  /// Selects from both parts of a list, if it was not done before.
  func of(_ list: TodoListViewModel, by query: Query?) -> Both {
    let both = known ?? (list.rows.selected(by: query), list.deletedRows.selected(by: query))
    known = both
    return both
  }
}

extension Query {
  /// Whether rows can be selected by it. All rows have the same form, so each of them answers for all.
  var fitsRows: Bool {
    let todo = Todo(
      id: "", list: "", createdAt: Moment(microseconds: 0), completedAt: Moment(microseconds: 0))
    return (try? select([TodoViewModel(todo)])) != nil
  }
}

extension [TodoViewModel] {
  /// What a query selects; nil: all. A query that does not fit rows was refused before.
  fileprivate func selected(by query: Query?) -> Selection<TodoViewModel> {
    query.flatMap { try? $0.select(self) } ?? selection
  }
}

extension Selection {
  /// Which of the rows that were found these are, for a line.
  var found: TodoListSummary.Found {
    TodoListSummary.Found(offset: offset, count: rows.count, total: total)
  }
}
