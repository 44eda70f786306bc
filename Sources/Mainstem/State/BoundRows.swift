// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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
      do { try show(binding, delivery) } catch { delivery.fail(Failure(error)) }
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
    guard let userData, let event else { return }
    // `keep` retains it until the release hook has run.
    Unmanaged<BoundRows>.fromOpaque(userData).takeUnretainedValue().show(event, UInt32(flags))
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
    var bytes: [CChar] = []
    let starts = rows.map { row in
      defer { bytes += row.name.utf8CString }
      return bytes.count
    }
    return bytes.withUnsafeBufferPointer { bytes in
      table(bytes.baseAddress, starts).withUnsafeBufferPointer(body)
    }
  }

  private func table(
    _ names: UnsafePointer<CChar>?, _ starts: [Int]
  ) -> [mainstem_binding_row] {
    var table: [mainstem_binding_row] = []
    for (row, start) in starts.enumerated() {
      var entry = mainstem_binding_row()
      (entry.name, entry.flags) = (names.map { $0 + start }, rows[row].flags)
      if isCalled(row) { entry.changed = BoundRows.call(for: rows[row].flags) }
      table.append(entry)
    }
    return table
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
