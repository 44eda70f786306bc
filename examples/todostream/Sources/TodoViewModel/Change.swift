// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// One step from the list being shown to the list to show.
///
/// The steps of a batch are applied one after another. Inserted, reloaded and moved rows are taken from the new list.
/// Without steps, nothing changed.
public struct Change: Sendable, Equatable, Codable {
  /// What happens to the row.
  public enum Kind: String, Sendable, Codable {
    case insert, delete, reload, move
  }

  /// What happens to the row.
  public let kind: Kind
  /// Where the row is, or goes to, in this step.
  public let at: Int
  /// Where a moved row was before this step.
  public let from: Int?

  private init(_ kind: Kind, at: Int, from: Int? = nil) {
    self.kind = kind
    self.at = at
    self.from = from
  }

  /// A row is inserted.
  public static func insert(at index: Int) -> Change { Change(.insert, at: index) }
  /// A row is removed.
  public static func delete(at index: Int) -> Change { Change(.delete, at: index) }
  /// A row's content changes.
  public static func reload(at index: Int) -> Change { Change(.reload, at: index) }
  /// A row moves; `at` is counted without it.
  public static func move(from: Int, at index: Int) -> Change {
    Change(.move, at: index, from: from)
  }
}
