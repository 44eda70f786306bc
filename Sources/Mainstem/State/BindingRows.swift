// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a view shows of its owner: a closure for each value.
public struct BindingRows {
  private(set) var rows: [Row] = []

  struct Row {
    typealias Show = (Binding, borrowing Delivery) throws -> Void

    let name: String
    /// Gets what the value's type carries, and makes the function that shows it; nil: only change sets.
    let show: ((ValueContract) throws(StreamError) -> Show)?
    /// How C calls it.
    var flags: UInt32 = 0
  }

  /// Shows a value: the closure gets what is kept of it, then each change.
  ///
  /// - Parameters:
  ///   - name: The part of the type's name behind the owner's: `username` for `Lookup.username`.
  ///   - onHost: Whether a drain calls it; otherwise, whoever delivers.
  ///   - body: Gets the value: a `Bool`, an `Int`, a `Double`, a `String`, or what JSON holds.
  public mutating func show<Value: Decodable>(
    _ name: String, onHost: Bool = false, _ body: @escaping (Value) throws -> Void
  ) {
    show(name, onHost: onHost) { _, value in try body(value) }
  }

  /// Shows a value: the closure gets the binding, too, which may be on its way to whoever binds.
  ///
  /// - Parameters:
  ///   - name: The part of the type's name behind the owner's.
  ///   - onHost: Whether a drain calls it; otherwise, whoever delivers.
  ///   - body: Gets the binding and the value.
  public mutating func show<Value: Decodable>(
    _ name: String, onHost: Bool = false, _ body: @escaping (Binding, Value) throws -> Void
  ) {
    add(name, onHost ? UInt32(MAINSTEM_BINDING_ON_HOST) : 0) { try body($0, $1()) }
  }

  /// Shows a value in a control that also changes it: a drain calls the closure with the newest value, but not with what
  /// the binding has set, nor with what is older than that. While it runs, what it sets of the value, through this binding
  /// or another, is ignored.
  ///
  /// - Parameters:
  ///   - name: The part of the type's name behind the owner's. The type is a value: ``Role/value``.
  ///   - body: Gets the value.
  public mutating func twoWay<Value: Decodable>(
    _ name: String, _ body: @escaping (Value) throws -> Void
  ) {
    twoWay(name) { _, value in try body(value) }
  }

  /// Shows a value in a control that also changes it: the closure gets the binding, too.
  ///
  ///     rows.twoWay("title") { view, title in field.show(title) { try view.set("title", $0) } }
  ///
  /// - Parameters:
  ///   - name: The part of the type's name behind the owner's. The type is a value: ``Role/value``.
  ///   - body: Gets the binding and the value.
  public mutating func twoWay<Value: Decodable>(
    _ name: String, _ body: @escaping (Binding, Value) throws -> Void
  ) {
    add(name, UInt32(MAINSTEM_BINDING_TWO_WAY)) { try body($0, $1()) }
  }

  private mutating func add<Value: Decodable>(
    _ name: String, _ flags: UInt32, _ body: @escaping (Binding, () throws -> Value) throws -> Void
  ) {
    rows.append(
      Row(
        name: name,
        show: { contract throws(StreamError) in
          try contract.checkReading(as: Value.self)
          let reading = contract.isList ? ListReading() : nil
          return { binding, delivery in
            try body(binding) {
              try contract.value(Value.self, of: delivery.event, delivery.types, reading)
            }
          }
        }, flags: flags))
  }

  /// Reads a value, for a test: what cannot be read is its own, and no failure of the program.
  package mutating func read<Value: Decodable>(
    _ name: String, _ body: @escaping (Result<Value, any Error>) -> Void
  ) {
    add(name, 0) { body(Result(catching: $1)) }
  }

  /// Lets ``Binding/onChanges(_:)`` hear of a value that is not shown by itself.
  ///
  /// - Parameter name: The part of the type's name behind the owner's.
  public mutating func watch(_ name: String) { rows.append(Row(name: name, show: nil)) }
}

/// The closures of a binding, by the types of the owner that it points at. C keeps it until the binding has ended.
final class BoundRows: Kept {
  private let rows: [BindingRows.Row]
  private let types: EventTypes
  private typealias Shown = (type: mainstem_event_type, row: Int, show: BindingRows.Row.Show)

  private var shown: [Shown] = []
  /// The name of the owner; nil: it points nowhere.
  private var owner: String?
  /// What the owner's values carry, as far as they were written.
  private var contracts: [String: ValueContract] = [:]
  /// What the closures may want; nil: it is being released.
  weak var binding: Binding?

  init(_ rows: [BindingRows.Row], _ types: EventTypes) {
    self.rows = rows
    self.types = types
  }

  /// Looks an owner's types up, and points there by `call`; if that fails, all is as before.
  func retarget(
    to owner: Context?, _ call: () throws(StreamError) -> Void
  ) throws(StreamError) {
    let before = (shown, self.owner, contracts)
    let name = try owner.map { owner throws(StreamError) in try owner.nameOfScope }
    shown = try name.map { name throws(StreamError) in try find(name) } ?? []
    (self.owner, contracts) = (name, [:])
    do throws(StreamError) {
      try call()
    } catch {
      (shown, self.owner, contracts) = before
      throw error
    }
  }

  /// What a value of the owner carries, or a command; nil: it has none of that name.
  func contract(of name: String) throws(StreamError) -> ValueContract? {
    if let known = contracts[name] { return known }
    guard let owner else { return nil }
    var number: mainstem_event_type = 0
    guard mainstem_type_find(types.home, "\(owner).\(name)", &number) == 0 else { return nil }
    let contract = try types.contract(of: number)
    contracts[name] = contract
    return contract
  }

  /// The types of an owner's values; what it does not show, C refuses with a message of its own.
  private func find(_ name: String) throws(StreamError) -> [Shown] {
    var found: [Shown] = []
    for (place, row) in rows.enumerated() {
      var number: mainstem_event_type = 0
      guard let show = row.show,
        mainstem_type_find(types.home, "\(name).\(row.name)", &number) == 0
      else { continue }
      found.append((number, place, try show(try types.contract(of: number))))
    }
    return found
  }

  private func show(_ event: UnsafePointer<mainstem_event>, _ flags: UInt32) {
    guard let binding else { return }
    for (type, row, show) in shown where type == event.pointee.type && rows[row].flags == flags {
      let delivery = Delivery(event, types: types)
      do { try show(binding, delivery) } catch { delivery.failUnlessMarked(error) }
    }
  }

  private typealias Call =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<mainstem_event>?
    ) -> Void

  /// Calls the closures behind user_data that have these flags.
  private static func call(
    _ userData: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?, _ flags: Int32
  ) {
    if let event { Kept.behind(userData, as: BoundRows.self)?.show(event, UInt32(flags)) }
  }

  /// What C calls for a row: it gets nothing that would tell rows apart.
  private static func call(for flags: UInt32) -> Call {
    switch Int32(bitPattern: flags) {
    case MAINSTEM_BINDING_TWO_WAY: { BoundRows.call($0, $1, MAINSTEM_BINDING_TWO_WAY) }
    case MAINSTEM_BINDING_ON_HOST: { BoundRows.call($0, $1, MAINSTEM_BINDING_ON_HOST) }
    default: { BoundRows.call($0, $1, 0) }
    }
  }

  /// Whether C calls a row: the first of its name and kind, which shows all of them.
  private func isCalled(_ row: Int) -> Bool {
    let (name, flags) = (rows[row].name, rows[row].flags)
    return row == rows.firstIndex { $0.name == name && $0.flags == flags && $0.show != nil }
  }

  /// Passes the rows to `body` in the form C takes; valid for the call.
  func withRows(
    _ body: (UnsafeBufferPointer<mainstem_binding_row>) -> mainstem_status
  ) -> mainstem_status {
    CStrings(rows.map(\.name)).withPointers { table($0).withUnsafeBufferPointer(body) }
  }

  private func table(_ names: [UnsafePointer<CChar>?]) -> [mainstem_binding_row] {
    rows.indices.map { row in
      var entry = mainstem_binding_row()
      (entry.name, entry.flags) = (names[row], rows[row].flags)
      if isCalled(row) { entry.changed = BoundRows.call(for: rows[row].flags) }
      return entry
    }
  }
}

extension Context {
  /// The name of the scope; empty for a context that is none.
  fileprivate var nameOfScope: String {
    get throws(StreamError) {
      var (scope, name) = (OpaquePointer?.none, UnsafePointer<CChar>?.none)
      try StreamError.check(mainstem_scope_find(types.home, try number, &scope, &name))
      return name.map { String(cString: $0) } ?? ""
    }
  }
}
