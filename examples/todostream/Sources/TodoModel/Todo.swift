// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// One thing to do, as it is stored: the base data and nothing else.
///
/// Two todos are equal when every field is; they are the same todo when their ids are.
public struct Todo: Sendable, Equatable, Codable, Identifiable {
  /// Identifies the todo forever.
  public var id: String
  /// The list it is in.
  public var list: String
  /// When it was created.
  public var createdAt: Moment
  /// What is to be done.
  public var title: String
  /// More about it.
  public var subtitle: String
  /// When it was done; nil while it is open.
  public var completedAt: Moment?
  /// How urgent it is.
  public var priority: Priority
  /// Deleted todos stay stored until they are purged, so that they can come back.
  public var isDeleted: Bool
  /// Its first place in the list, the time of its creation: the highest comes first.
  public var order: Int64
  /// Its order key since it was moved, see ``OrderKey``; nil as long as `order` decides.
  public var place: String?

  /// Creates a todo. A new one is open, not deleted, and placed by its time.
  public init(
    id: String, list: String, createdAt: Moment, title: String = "", subtitle: String = "",
    completedAt: Moment? = nil, priority: Priority = .normal, isDeleted: Bool = false,
    order: Int64? = nil, place: String? = nil
  ) {
    self.id = id
    self.list = list
    self.createdAt = createdAt
    self.title = title
    self.subtitle = subtitle
    self.completedAt = completedAt
    self.priority = priority
    self.isDeleted = isDeleted
    self.order = order ?? createdAt.microseconds
    self.place = place
  }

  /// Whether it is done.
  public var isComplete: Bool { completedAt != nil }

  /// The todo with done and open swapped; done at `now`.
  public func toggled(at now: Moment) -> Todo {
    completed(!isComplete, at: now)
  }

  /// The todo, done or open. One that was done already keeps its completion time.
  public func completed(_ isComplete: Bool, at now: Moment) -> Todo {
    var todo = self
    todo.completedAt = isComplete ? completedAt ?? now : nil
    return todo
  }

  /// The todo, deleted or restored.
  public func deleted(_ isDeleted: Bool) -> Todo {
    var todo = self
    todo.isDeleted = isDeleted
    return todo
  }

  /// The todo with another order key; nil: without one.
  public func placed(_ place: String?) -> Todo {
    var todo = self
    todo.place = place
    return todo
  }

  private enum CodingKeys: String, CodingKey {
    case id, list, createdAt, title, subtitle, completedAt, priority
    case isDeleted = "deleted"
    case order, place
  }
}
