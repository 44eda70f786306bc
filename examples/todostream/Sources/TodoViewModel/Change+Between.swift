// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Change {
  /// The steps from one list to another. Identity decides which row is which, and value whether it changed. No more
  /// rows move than necessary. Ids are unique in each list.
  ///
  /// - Complexity: O(n log n) for lists of n rows, plus O(n) for each row that moves.
  public static func between<Row: Equatable & Identifiable>(
    _ old: [Row], _ new: [Row]
  ) -> [Change] {
    between(old, new, moving: nil, reloading: !=)
  }

  /// The steps from one list to another, if it is known which row may have moved, and when a row is to be reloaded.
  ///
  /// - Parameters:
  ///   - old: The list being shown.
  ///   - new: The list to show.
  ///   - id: The row that moves if one must: of two rows that change places, either one could.
  ///   - differs: Whether a row that stays shows something else in the new list.
  public static func between<Row: Identifiable>(
    _ old: [Row], _ new: [Row], moving id: Row.ID?, reloading differs: (Row, Row) -> Bool
  ) -> [Change] {
    let before = index(of: old)
    let after = index(of: new)
    let places = old.compactMap { after[$0.id] }
    let staying = Set(rise(of: places, without: id.flatMap { after[$0] }))

    let deletions = old.indices.reversed().filter { after[old[$0].id] == nil }
    let insertions = new.indices.filter { before[new[$0].id] == nil }
    let reloads = staying.sorted().filter { place in
      before[new[place].id].map { differs(old[$0], new[place]) } ?? false
    }
    return deletions.map { .delete(at: $0) } + moves(of: places, staying: staying)
      + insertions.map { .insert(at: $0) } + reloads.map { .reload(at: $0) }
  }

  /// The list after the steps. Inserted, changed and moved rows are taken from `new`.
  public static func apply<Row: Identifiable>(
    _ changes: [Change], to old: [Row], from new: [Row]
  ) -> [Row] {
    let target = index(of: new)
    var rows = old
    for change in changes {
      switch change.kind {
      case .insert: rows.insert(new[change.at], at: change.at)
      case .delete: rows.remove(at: change.at)
      case .reload: rows[change.at] = new[change.at]
      case .move:
        let row = rows.remove(at: change.from ?? change.at)
        rows.insert(target[row.id].map { new[$0] } ?? row, at: change.at)
      }
    }
    return rows
  }

  /// The places that stay: all of them if they rise, or else the most, but not the one that moves.
  private static func rise(of places: [Int], without moving: Int?) -> [Int] {
    let rise = longestRise(of: places)
    return rise.count == places.count ? rise : longestRise(of: places.filter { $0 != moving })
  }

  private static func index<Row: Identifiable>(of rows: [Row]) -> [Row.ID: Int] {
    Dictionary(rows.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The moves. Rows that stay keep their relative order; each other row goes behind the row that it follows in the new
  /// list.
  private static func moves(of places: [Int], staying: Set<Int>) -> [Change] {
    var order = places
    var changes: [Change] = []
    var previous: Int?
    for place in places.sorted() {
      defer { previous = place }
      guard !staying.contains(place), let from = order.firstIndex(of: place) else { continue }
      order.remove(at: from)
      let at = previous.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
      order.insert(place, at: at)
      changes.append(.move(from: from, at: at))
    }
    return changes
  }
}
