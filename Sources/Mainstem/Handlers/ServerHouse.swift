// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Holds a server's value while it is installed, and its table by type number.
///
/// The core never re-enters a callback, so the value is never accessed twice at the same time.
final class ServerHouse<S: Server> {
  private(set) var server: S
  let types: EventTypes
  /// What it shows; nil: nothing.
  private(set) var shown: ((S) throws -> [any Notice])?
  /// Where its handlers run, and its steps after an answer: one at a time.
  let scheduler: mainstem_scheduler
  private var handled: [(name: String, isOwn: Bool)] = []
  /// By number: found faster than in a dictionary, which would look up the type of the calls each time.
  private var rows: [Row] = []

  init(
    _ server: S, types: EventTypes, in context: OpaquePointer?, on scheduler: mainstem_scheduler
  ) throws(StreamError) {
    self.server = server
    self.types = types
    self.scheduler = scheduler
    var table = Handlers<S>()
    S.handlers(&table)
    guard table.shown.count <= 1 else {
      throw StreamError(.invalid, "\(S.name): it has two functions that show: say all in one")
    }
    shown = table.shown.first
    for row in table.rows {
      let number = try types.number(of: row.type)
      for type in row.asked { _ = try types.number(of: type) }
      let place = place(of: number)
      if place == rows.count || rows[place].number != number {
        handled.append((row.type.name, row.isOwn))
        rows.insert(Row(number), at: place)
      } else if !handled.contains(where: { $0 == (row.type.name, row.isOwn) }) {
        throw StreamError(
          .invalid, "\(S.name): only one of its handlers for \(row.type.name) is own")
      }
      guard rows[place].add(try row.call(types), failed: row.failed) else {
        throw StreamError(.invalid, "\(S.name): it has two handlers for \(row.type.name)")
      }
    }
  }

  func handle(_ event: UnsafePointer<mainstem_event>) {
    let place = place(of: event.pointee.type)
    guard place < rows.count, rows[place].number == event.pointee.type else { return }
    let call = event.pointee.status == 0 ? rows[place].succeeded : rows[place].failed
    let after = call?(&server, Delivery(event, types: types))
    after?(self, Delivery(event, types: types))
  }

  /// Where the row for a type is, or would be.
  private func place(of number: mainstem_event_type) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// What is called for the events of a type.
  private final class Row {
    let number: mainstem_event_type
    private(set) var succeeded: Handlers<S>.Call?
    private(set) var failed: Handlers<S>.Call?

    init(_ number: mainstem_event_type) { self.number = number }

    /// Adds a handler; false: there is one.
    func add(_ call: @escaping Handlers<S>.Call, failed isFailed: Bool) -> Bool {
      if isFailed {
        defer { failed = call }
        return failed == nil
      }
      defer { succeeded = call }
      return succeeded == nil
    }
  }

  /// Lets a later step have the server.
  func change<Value>(_ step: (inout S) throws -> Value) rethrows -> Value { try step(&server) }

  /// Passes the table to `body` in the form C takes; valid for the call.
  func withRows(
    _ body: (UnsafeBufferPointer<mainstem_handler_row_with>) -> mainstem_status
  ) -> mainstem_status {
    var bytes: [CChar] = []
    let starts = handled.map { row in
      defer { bytes += row.name.utf8CString }
      return bytes.count
    }
    return bytes.withUnsafeBufferPointer { bytes in
      let rows = zip(starts, handled).map { start, row in
        mainstem_handler_row_with(
          row: mainstem_handler_row(
            type: bytes.baseAddress.map { $0 + start }, fn: Callback.call),
          flags: row.isOwn ? UInt32(MAINSTEM_HANDLER_OWN) : 0)
      }
      return rows.withUnsafeBufferPointer(body)
    }
  }
}
