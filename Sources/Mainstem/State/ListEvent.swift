// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A list of a scope: a value that has rows, whose events are changes.
///
///     struct ShopItems: ListEvent {
///       static let name = "Shop.items"
///       var rows: Rows<Item>
///     }
///
///     let seen = try context.observe(ShopItems.self) { items, _ in show(items.rows, items.rows.changes) }
///     try shop.set(ShopItems.self, items)
///
/// A view model declares its lists in its table: `on.list("items", \.items)`.
public protocol ListEvent: Event {
  /// The type of a row. Its payload is encoded like that of a value: a `Bool`, an `Int`, a `Double` or a `String` as it is,
  /// everything else as JSON.
  associatedtype Row: Codable & Equatable & Sendable

  /// The rows as they are with this event, and what has changed.
  var rows: Rows<Row> { get }

  /// Makes an event that carries rows.
  ///
  /// - Parameter rows: The rows.
  init(rows: Rows<Row>)
}

extension ListEvent {
  /// It changes a value.
  public static var role: Role { .value }

  /// What the bytes of a row look like.
  public static var payload: Payload { ValueForm(Row.self).payload }

  /// Returns nothing: a list is set, and not sent.
  public func encoded(by coder: any PayloadCoder) throws -> [UInt8] { [] }

  /// Refuses bytes: those of a list's event are changes.
  public static func decoded(from bytes: [UInt8], by coder: any PayloadCoder) throws -> Self {
    throw ListWithoutRows()
  }

  /// The type of a row.
  static var row: Any.Type { Row.self }

  /// Reads an event.
  ///
  /// - Parameter reading: What the observer knows of the list; nil: it may have missed some of its events.
  static func read(
    _ event: UnsafePointer<mainstem_event>, _ types: EventTypes, _ reading: ListReading?
  ) throws(Failure) -> Self {
    do {
      let contract = try types.contract(of: event.pointee.type)
      return Self(rows: try Rows(event, contract, types, reading))
    } catch {
      throw Failure(error)
    }
  }
}

// MARK: - For the test kit

/// The rows of a list's event, copied for a test kit.
package struct CopiedRows {
  fileprivate let raw: RawRows
  fileprivate let contract: ValueContract
  fileprivate let types: EventTypes

  /// Decodes the event.
  ///
  /// - Returns: The event; nil: it is none of this type.
  package func decoded<E: Event>(_ type: E.Type) -> E? {
    (type as? any ListEvent.Type)?.read(self) as? E
  }
}

extension Delivery {
  /// The rows of a list's event, which stay when the event has gone; nil: it is none.
  package var copiedRows: CopiedRows? {
    guard let contract = try? types.contract(of: event.pointee.type), contract.isList,
      let raw = try? RawRows(event, KeptRows(isBorrowed: true))
    else { return nil }
    return CopiedRows(raw: raw, contract: contract, types: types)
  }
}

extension ListEvent {
  fileprivate static func read(_ copied: CopiedRows) -> Self? {
    (try? Rows<Row>(copied.raw, copied.contract, copied.types)).map { Self(rows: $0) }
  }
}

/// Why the rows of a list are not read.
private struct ListWithoutRows: Error, CustomStringConvertible {
  let description = "this event came without its rows: observe the list, or read it with value(of:)"
}

extension Context {
  /// Sets a list of this scope: says what all of its rows are. Sends an event, unless the list has these rows already.
  ///
  /// Whoever observes gets what has changed. Rows at the beginning and at the end that are equal to those set before,
  /// through this object, are not encoded again.
  ///
  ///     try shop.set(ShopItems.self, items)
  ///
  /// - Parameters:
  ///   - type: The type of the list.
  ///   - content: All rows, or a part of a longer sequence: a ``Selection``. No two rows have the same `id`.
  /// - Throws: ``Status/invalid`` for two rows with one id, and for an id that is empty or has more than 255 bytes,
  ///   ``Status/tooBig`` for a row that exceeds the payload limit; else the reason it was not accepted. The list stays as
  ///   it was.
  public func set<E: ListEvent>(
    _ type: E.Type, _ content: some ListContent<E.Row>
  ) throws(StreamError)
  where E.Row: Identifiable, E.Row.ID: RowKey {
    let number = try types.number(of: type)
    let setter: ListSetter<E.Row>
    if let known = lists[number] as? ListSetter<E.Row> {
      setter = known
    } else {
      setter = ListSetter(E.name, RowKind(E.Row.self))
      lists[number] = setter
    }
    try setter.set(content.selection, by: ValueSetter(scope: handle, number: number, types: types))
  }
}
