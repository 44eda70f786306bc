// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A part of a longer sequence: what a query has selected, or what a list is set to.
public struct Selection<Row> {
  /// The rows of the part, in order.
  public let rows: [Row]
  /// How many rows of the sequence come before them.
  public let offset: Int
  /// How many rows the sequence has.
  public let total: Int

  /// Makes a selection.
  ///
  /// - Parameters:
  ///   - rows: The rows of the part.
  ///   - offset: How many rows of the sequence come before them.
  ///   - total: How many rows the sequence has.
  public init(rows: [Row], offset: Int, total: Int) {
    (self.rows, self.offset, self.total) = (rows, offset, total)
  }
}

extension Selection: Sendable where Row: Sendable {}
extension Selection: Equatable where Row: Equatable {}
extension Selection: Encodable where Row: Encodable {}
extension Selection: Decodable where Row: Decodable {}

/// What a list is set to: an array has all of its rows, and a ``Selection`` is a part of a longer sequence.
public protocol ListContent<Row> {
  /// What a row is.
  associatedtype Row

  /// The rows, and which part of a longer sequence they are.
  var selection: Selection<Row> { get }
}

extension Array: ListContent {
  /// All rows.
  public var selection: Selection<Element> { Selection(rows: self, offset: 0, total: count) }
}

extension Selection: ListContent {
  /// The selection itself.
  public var selection: Selection { self }
}

extension Rows: ListContent {
  /// The rows as they came, in their window.
  public var selection: Selection<Row> { Selection(rows: all, offset: offset, total: total) }
}
