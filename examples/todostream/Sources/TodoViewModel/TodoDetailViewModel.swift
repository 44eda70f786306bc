// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import TodoModel

/// One todo, open for a look or an edit. A value: the view changes its fields and sends it back.
public struct TodoDetailViewModel: Sendable, Equatable, Identifiable {
  /// The edit session it belongs to: what is answered to it names this.
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
  /// Why the last save could not be kept, for a person; nil when nothing is wrong.
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

  /// The todo's id: two details with one id show the same todo.
  public var id: Todo.ID { todo.id }
  /// The priority as it is shown.
  public var priorityText: String { priority.text }
  /// Done or open as it is shown.
  public var completedText: String { isCompleted ? "Complete" : "Incomplete" }
  /// The name of the action that deletes it or brings it back.
  public var deletedActionTitle: String { isDeleted ? "Restore" : "Delete" }

  /// High becomes normal, normal becomes high.
  public mutating func togglePriority() { priority = priority.toggled }
  /// Done becomes open, open becomes done.
  public mutating func toggleCompleted() { isCompleted.toggle() }
  /// Deleted comes back, all else is deleted.
  public mutating func toggleDeleted() { isDeleted.toggle() }
}
