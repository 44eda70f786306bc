// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The rows of a list as they are with an event, whatever has been set since, and what has changed.
///
///     rows.list(\.todos) { todos in
///       for change in todos.changes {
///         switch change {
///         case .reset: lines = todos.map(\.title)
///         case .remove(let run): lines.removeSubrange(run)
///         case .move(let run, let to):
///           let moved = lines[run]
///           lines.removeSubrange(run)
///           lines.insert(contentsOf: moved, at: to)
///         case .insert(let run): lines.insert(contentsOf: todos[run].map(\.title), at: run.lowerBound)
///         case .update(let run): lines.replaceSubrange(run, with: todos[run].map(\.title))
///         }
///       }
///     }
///
/// A row is decoded when it is first read. Rows stay as they are for as long as they are kept, also when their context
/// has closed. Any thread may read them, if the rows may be shared.
public struct Rows<Row: Decodable>: RandomAccessCollection {
  /// What has changed since the list that the observer got before, to be applied one after the other. The first list
  /// that an observer gets has one change: ``RowChange/reset``.
  public let changes: [RowChange]

  /// All changes as one: a range of rows that was replaced. After a ``RowChange/reset`` all rows are new.
  public let span: RowSpan

  /// How many rows there are.
  public let count: Int

  /// How many rows of a longer sequence come before these; 0 if they are all.
  public let offset: Int

  /// How many rows the sequence has that these are a part of; their number if they are all.
  public let total: Int

  private let store: RowStore<Row>

  /// Makes rows that come from nowhere, for tests and previews: as the first list that an observer gets.
  ///
  /// - Parameter rows: The rows.
  public init(_ rows: some Sequence<Row>) {
    let rows = Array(rows)
    self.init(Selection(rows: rows, offset: 0, total: rows.count))
  }

  /// Makes rows that come from nowhere, and are a part of a longer sequence.
  ///
  /// - Parameter selection: The rows, and which part they are.
  public init(_ selection: Selection<Row>) {
    let rows = selection.rows
    (changes, count) = ([.reset], rows.count)
    (offset, total) = (selection.offset, selection.total)
    span = RowSpan(at: 0, removed: 0, added: rows.count)
    store = RowStore(rows)
  }

  /// Reads the list of an event.
  ///
  /// - Parameters:
  ///   - event: The event, in the callback that gets it, or retained.
  ///   - contract: What the list is made of.
  ///   - reading: What the observer knows of the list; nil: it may have missed some of its events.
  /// - Throws: A failure that names a row which is none of the type.
  init(
    _ event: UnsafePointer<mainstem_event>, _ contract: ValueContract, _ types: EventTypes,
    _ reading: ListReading?
  ) throws {
    let raw = try RawRows(event, types.rows)
    (changes, span) = (raw.changes, raw.span)
    (count, offset, total) = (raw.count, raw.offset, raw.total)
    store = RowStore(raw, RowDecoder(contract: contract.ofRow, types: types))
    // All rows that anybody may read later are decoded once: then reading them cannot fail.
    let origin = event.pointee.origin
    let knows = reading?.origins.contains(origin) == true && changes.first != .reset
    reading?.origins.remove(origin)
    try store.decode(knows ? changes : [.reset], of: event)
    reading?.origins.insert(origin)
  }

  /// Reads the list of an event that was copied.
  init(_ raw: RawRows, _ contract: ValueContract, _ types: EventTypes) throws {
    (changes, span) = (raw.changes, raw.span)
    (count, offset, total) = (raw.count, raw.offset, raw.total)
    store = RowStore(raw, RowDecoder(contract: contract.ofRow, types: types))
    try store.decode()
  }

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of rows.
  public var endIndex: Int { count }

  /// Reads a row.
  public subscript(index: Int) -> Row {
    precondition(0..<count ~= index, "there is no row \(index): the list has \(count)")
    return store.row(at: index)
  }

  /// Finds the row with a key in any list, as the key is on the stream.
  ///
  /// - Parameter key: The key: a text as it is, a whole number in decimal, a UUID in lower case.
  /// - Returns: Its index; `nil` if there is none, or the rows come from no event.
  /// - Complexity: O(*n*), but without decoding a row.
  public func index(ofKey key: String) -> Int? { store.raw?.index(ofKey: key) }

  var all: [Row] { store.all(count) }
}

extension Rows where Row: Identifiable, Row.ID: RowKey {
  /// Finds a row.
  ///
  /// - Parameter id: The row's id.
  /// - Returns: Its index; `nil` if there is none.
  /// - Complexity: O(*n*), but without decoding a row.
  public func index(of id: Row.ID) -> Int? {
    guard store.raw == nil else { return index(ofKey: id.rowKey) }
    return all.firstIndex { $0.id == id }
  }

  /// Finds a row.
  ///
  /// - Parameter id: The row's id.
  /// - Returns: The row; `nil` if there is none.
  /// - Complexity: O(*n*), but only this row is decoded.
  public func find(_ id: Row.ID) -> Row? { index(of: id).map { self[$0] } }
}

// Its store is guarded by a lock, and gives rows away.
extension Rows: Sendable where Row: Sendable {}

extension Rows: Equatable where Row: Equatable {
  /// Whether both have equal rows in the same order, whatever has changed.
  public static func == (one: Rows, other: Rows) -> Bool {
    one.store === other.store || one.count == other.count && one.all == other.all
  }
}

extension Rows: Decodable {
  /// Makes rows of what is an array: of a value that is no list.
  public init(from decoder: any Decoder) throws { self.init(try [Row](from: decoder)) }
}

extension Rows: Encodable where Row: Encodable {
  /// Encodes the rows as an array.
  public func encode(to encoder: any Encoder) throws { try all.encode(to: encoder) }
}

extension Rows: CustomStringConvertible {
  /// All rows, as an array shows them.
  public var description: String { "\(all)" }
}

/// What happens to a run of rows. Changes are applied one after another, in their order.
public enum RowChange: Sendable, Hashable {
  /// All rows are to be read anew.
  case reset
  /// Rows are removed. The last run comes first.
  case remove(Range<Int>)
  /// Rows move to a place that is counted without them.
  case move(Range<Int>, to: Int)
  /// Rows are inserted, which are at these places in the list.
  case insert(Range<Int>)
  /// Rows have changed, and are at these places in the list.
  case update(Range<Int>)
}

/// All changes of a list as one: rows that were replaced by others.
public struct RowSpan: Sendable, Hashable {
  /// The first of them.
  public let at: Int
  /// How many there were.
  public let removed: Int
  /// How many there are now.
  public let added: Int

  /// Makes a span.
  ///
  /// - Parameters:
  ///   - at: The first row.
  ///   - removed: How many there were.
  ///   - added: How many there are now.
  public init(at: Int, removed: Int, added: Int) {
    (self.at, self.removed, self.added) = (at, removed, added)
  }
}

// MARK: - What an observer knows

/// Of which scopes an observer has got a list whose rows could all be decoded, and each of its changes since.
///
/// One observer is called by one thread at a time.
final class ListReading {
  var origins: Set<UInt32> = []
}

/// Decodes rows.
struct RowDecoder: Sendable {
  let contract: ValueContract
  let types: EventTypes

  func row<Row: Decodable>(at index: Int, _ data: UnsafeRawBufferPointer) throws -> Row {
    var event = mainstem_event()
    (event.data, event.size) = (data.baseAddress, UInt32(data.count))
    do {
      return try contract.value(Row.self, of: &event, types, nil)
    } catch {
      // Again, to name the row.
      return try contract.ofRow(index).value(Row.self, of: &event, types, nil)
    }
  }
}

/// The decoded rows of a list.
///
/// Sendable because the lock guards its mutable state. `Rows` are Sendable only if what they give away is.
final class RowStore<Row: Decodable>: @unchecked Sendable {
  /// Where the rows come from; nil: all are here.
  let raw: RawRows?
  private let decoder: RowDecoder?
  private let lock = Lock()
  private var whole: [Row]?
  /// Those that were read or have changed, if not all are here.
  private var some: [Int: Row] = [:]

  init(_ rows: [Row]) { (raw, decoder, whole) = (nil, nil, rows) }

  init(_ raw: RawRows, _ decoder: RowDecoder) { (self.raw, self.decoder) = (raw, decoder) }

  /// Decodes the rows that are new, out of the event, before anybody has the store.
  func decode(_ changes: [RowChange], of event: UnsafePointer<mainstem_event>) throws {
    for change in changes {
      switch change {
      case .reset: whole = try (0..<(raw?.count ?? 0)).map { try decode($0, of: event) }
      case .insert(let run), .update(let run):
        for index in run { some[index] = try decode(index, of: event) }
      case .remove, .move: break
      }
    }
  }

  /// Decodes all rows, before anybody has the store.
  func decode() throws {
    guard let raw, let decoder else { return }
    whole = try (0..<raw.count).map { index in
      try (raw.data(at: index) ?? []).withUnsafeBytes { try decoder.row(at: index, $0) }
    }
  }

  private func decode(_ index: Int, of event: UnsafePointer<mainstem_event>) throws -> Row {
    guard let decoder, let row = RawRows.row(at: index, of: event) else {
      throw Failure("there is no row \(index)", code: .invalid)
    }
    return try decoder.row(at: index, UnsafeRawBufferPointer(start: row.data, count: row.size))
  }

  func row(at index: Int) -> Row {
    if let row = lock.locked({ whole?[index] ?? some[index] }) { return row }
    guard let decoder, let data = raw?.data(at: index),
      let row: Row = try? data.withUnsafeBytes({ try decoder.row(at: index, $0) })
    else {
      // Whoever made these rows has decoded it before.
      preconditionFailure(
        "row \(index) was decoded, and cannot be decoded again: see its init(from:)")
    }
    // If another thread has decoded it, too: one for all.
    return lock.locked {
      let first = some[index] ?? row
      some[index] = first
      return first
    }
  }

  func all(_ count: Int) -> [Row] {
    if let whole = lock.locked({ whole }) { return whole }
    let rows = (0..<count).map { row(at: $0) }
    return lock.locked {
      whole = rows
      some = [:]
      return rows
    }
  }
}

// MARK: - Values that are read of a list

/// What a list can be read as.
protocol ListReader {
  /// Refuses rows that cannot be read as those of the type.
  static func checkRows(_ row: ValueContract) throws(StreamError)
  static func read(
    _ event: UnsafePointer<mainstem_event>, _ contract: ValueContract, _ types: EventTypes,
    _ reading: ListReading?
  ) throws -> Self
}

extension Rows: ListReader {
  static func checkRows(_ row: ValueContract) throws(StreamError) {
    try row.checkReading(as: Row.self)
  }

  static func read(
    _ event: UnsafePointer<mainstem_event>, _ contract: ValueContract, _ types: EventTypes,
    _ reading: ListReading?
  ) throws -> Rows {
    try Rows(event, contract, types, reading)
  }
}

extension Array: ListReader where Element: Decodable {
  static func checkRows(_ row: ValueContract) throws(StreamError) {
    try row.checkReading(as: Element.self)
  }

  static func read(
    _ event: UnsafePointer<mainstem_event>, _ contract: ValueContract, _ types: EventTypes,
    _ reading: ListReading?
  ) throws -> [Element] {
    try Rows<Element>(event, contract, types, nil).all
  }
}
