// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import TodoModel

/// The deletions that can be undone, at most one for each todo, the last one at the end.
///
/// A deletion is here as soon as it is asked for: an undo before the model's answer means this one. It stays here until
/// the undo is kept, so an undo that fails can be asked for again.
struct Deletions {
  private enum Stage { case deleting, deleted, undoing }

  private struct Deletion {
    let todo: Todo
    var stage: Stage
  }

  private var deletions: [Deletion] = []

  /// The model is asked to delete a todo.
  mutating func begin(_ todo: Todo) {
    forget(todo.id)
    deletions.append(Deletion(todo: todo, stage: .deleting))
  }

  /// The model has kept that a todo is deleted.
  mutating func deleted(_ id: Todo.ID) { change(id, from: .deleting, to: .deleted) }

  /// The model could not keep that a todo is deleted.
  mutating func failed(_ id: Todo.ID) {
    deletions.removeAll { $0.todo.id == id && $0.stage != .deleted }
  }

  /// The todo to restore next, as it was when it was deleted; `nil`: there is nothing to undo.
  mutating func undo(in list: String, except purged: Set<Todo.ID>) -> Todo? {
    let last = deletions.lastIndex {
      $0.todo.list == list && $0.stage != .undoing && !purged.contains($0.todo.id)
    }
    guard let last else { return nil }
    deletions[last].stage = .undoing
    return deletions[last].todo
  }

  /// The model has kept what an undo restores.
  mutating func undone(_ id: Todo.ID) {
    deletions.removeAll { $0.todo.id == id && $0.stage == .undoing }
  }

  /// The model could not keep what an undo restores.
  mutating func undoFailed(_ id: Todo.ID) { change(id, from: .undoing, to: .deleted) }

  /// A todo is not deleted any more, whoever restored it.
  mutating func restored(_ id: Todo.ID) {
    deletions.removeAll { $0.todo.id == id && $0.stage == .deleted }
  }

  /// Of a list, only these todos are deleted.
  mutating func keep(_ todos: [Todo], in list: String) {
    let ids = Set(todos.map(\.id))
    deletions.removeAll {
      $0.todo.list == list && $0.stage == .deleted && !ids.contains($0.todo.id)
    }
  }

  /// A todo is gone.
  mutating func forget(_ id: Todo.ID) { deletions.removeAll { $0.todo.id == id } }

  private mutating func change(_ id: Todo.ID, from before: Stage, to stage: Stage) {
    for place in deletions.indices
    where deletions[place].todo.id == id && deletions[place].stage == before {
      deletions[place].stage = stage
    }
  }
}
