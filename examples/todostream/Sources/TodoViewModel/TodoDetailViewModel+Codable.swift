// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import TodoModel

extension TodoDetailViewModel: Codable {
  private enum CodingKeys: String, CodingKey {
    case session, todo, title, subtitle, priority, completed, deleted, error
    case priorityText, completedText, deletedActionTitle
  }

  /// Reads what can be edited; the texts are derived from it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(Todo.self, forKey: .todo),
      session: try container.decode(String.self, forKey: .session))
    title = try container.decode(String.self, forKey: .title)
    subtitle = try container.decode(String.self, forKey: .subtitle)
    priority = try container.decode(Priority.self, forKey: .priority)
    isCompleted = try container.decode(Bool.self, forKey: .completed)
    isDeleted = try container.decode(Bool.self, forKey: .deleted)
    error = try container.decodeIfPresent(String.self, forKey: .error)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(session, forKey: .session)
    try container.encode(todo, forKey: .todo)
    try container.encode(title, forKey: .title)
    try container.encode(subtitle, forKey: .subtitle)
    try container.encode(priority, forKey: .priority)
    try container.encode(isCompleted, forKey: .completed)
    try container.encode(isDeleted, forKey: .deleted)
    try container.encodeIfPresent(error, forKey: .error)
    try container.encode(priorityText, forKey: .priorityText)
    try container.encode(completedText, forKey: .completedText)
    try container.encode(deletedActionTitle, forKey: .deletedActionTitle)
  }
}
