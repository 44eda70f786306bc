// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import TodoModel

/// One todo, open for viewing or editing. A value: the view changes its fields and sends it back.
public struct TodoDetailViewModel: Sendable, Equatable, Identifiable {
  /// The edit session it belongs to. Answers name it.
  public let session: String
  /// The todo as it was when the session began.
  public let todo: Todo

  /// The title, as edited.
  public var title: String
  /// The subtitle, as edited.
  public var subtitle: String
  /// The priority, as edited.
  public var priority: Priority
  /// Done or open, as edited.
  public var isCompleted: Bool
  /// Deleted or not, as edited.
  public var isDeleted: Bool
  /// Why the last save could not be kept, for the user; nil if nothing is wrong.
  public var error: String?

  /// The detail of a todo, not edited yet.
  public init(_ todo: Todo, session: String) {
    self.session = session
    self.todo = todo
    title = todo.title
    subtitle = todo.subtitle
    priority = todo.priority
    isCompleted = todo.isComplete
    isDeleted = todo.isDeleted
  }

  /// The todo's id: two details with the same id show the same todo.
  public var id: Todo.ID { todo.id }
  /// The priority to show.
  public var priorityText: String { priority.text }
  /// The state to show: done or open.
  public var completedText: String { isCompleted ? "Complete" : "Incomplete" }
  /// The name of the action that deletes or restores the todo.
  public var deletedActionTitle: String { isDeleted ? "Restore" : "Delete" }

  /// Toggles between high and normal.
  public mutating func togglePriority() { priority = priority.toggled }
  /// Toggles between done and open.
  public mutating func toggleCompleted() { isCompleted.toggle() }
  /// Toggles between deleted and not deleted.
  public mutating func toggleDeleted() { isDeleted.toggle() }
}
