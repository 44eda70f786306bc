// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import TodoModel

extension TodoDetailViewModel {
  /// What is wrong with the edit, or nil. A title of spaces only counts as empty.
  public var problem: UserError? {
    title.allSatisfy(\.isWhitespace) ? .emptyTitle : nil
  }

  /// The current todo with the edits applied; everything else stays as it is.
  ///
  /// A todo that was done and stays done keeps its completion time.
  public func edited(_ current: Todo, at now: Moment) -> Todo {
    var edited = current
    if title != todo.title { edited.title = title }
    if subtitle != todo.subtitle { edited.subtitle = subtitle }
    if priority != todo.priority { edited.priority = priority }
    if isDeleted != todo.isDeleted { edited.isDeleted = isDeleted }
    return isCompleted == todo.isComplete ? edited : edited.completed(isCompleted, at: now)
  }
}
