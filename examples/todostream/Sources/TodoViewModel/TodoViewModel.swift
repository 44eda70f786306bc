// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import TodoModel

/// A row of the list, ready to be shown. A value: it can neither wait nor send.
///
/// It keeps its todo, so that a view can send the row back as it is.
public struct TodoViewModel: Sendable, Equatable, Identifiable {
  /// A row is one reference: the rows of a long list are copied with each change, and their todos are not.
  private final class Kept: Sendable {
    let todo: Todo
    init(_ todo: Todo) { self.todo = todo }
  }

  private let kept: Kept

  /// Creates the row of a todo.
  public init(_ todo: Todo) { kept = Kept(todo) }

  /// The todo that the row shows. A view carries it without looking inside.
  public var todo: Todo { kept.todo }

  /// The todo's id. Two rows with the same id are the same row; they are equal only if they show the same.
  public var id: Todo.ID { kept.todo.id }

  /// Whether two rows show the same todo in the same state. Its order key is not shown.
  public static func == (one: TodoViewModel, other: TodoViewModel) -> Bool {
    one.kept === other.kept || one.todo.placed(nil) == other.todo.placed(nil)
  }

  /// The title, unchanged.
  public var title: String { todo.title }
  /// The second line.
  public var subtitle: String { "Priority: \(todo.priority.text)" }
  /// Whether it is done.
  public var isComplete: Bool { todo.isComplete }
  /// Whether it is deleted.
  public var isDeleted: Bool { todo.isDeleted }
  /// The name of the action that toggles it.
  public var completeActionTitle: String { todo.isComplete ? "Uncomplete" : "Complete" }
}

extension TodoViewModel: Codable {
  private enum CodingKeys: String, CodingKey {
    case todo, title, subtitle, complete, deleted, completeActionTitle
  }

  /// Reads only the todo: everything else is derived from it.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.container(keyedBy: CodingKeys.self).decode(Todo.self, forKey: .todo))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    // New order keys for a whole list are no change of its rows.
    try container.encode(todo.placed(nil), forKey: .todo)
    try container.encode(title, forKey: .title)
    try container.encode(subtitle, forKey: .subtitle)
    try container.encode(isComplete, forKey: .complete)
    try container.encode(isDeleted, forKey: .deleted)
    try container.encode(completeActionTitle, forKey: .completeActionTitle)
  }
}
