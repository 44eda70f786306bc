// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Holds a server's value while it is installed, and its table by type number.
///
/// The core never re-enters a callback, so the value is never accessed twice at the same time.
final class ServerHouse<S: Server> {
  private var server: S
  private let types: EventTypes
  /// Where its handlers run, and its steps after an answer: one at a time.
  let scheduler: mainstem_scheduler
  private var names: [String] = []
  private var succeeded: [mainstem_event_type: Handlers<S>.Call] = [:]
  private var failed: [mainstem_event_type: Handlers<S>.Call] = [:]

  init(
    _ server: S, types: EventTypes, in context: OpaquePointer?, on scheduler: mainstem_scheduler
  ) throws(StreamError) {
    self.server = server
    self.types = types
    self.scheduler = scheduler
    var table = Handlers<S>()
    S.handlers(&table)
    for row in table.rows {
      let number = try types.number(of: row.type)
      for type in row.asked { _ = try types.number(of: type) }
      if succeeded[number] == nil && failed[number] == nil { names.append(row.type.name) }
      let second =
        row.failed
        ? failed.updateValue(try row.call(types), forKey: number)
        : succeeded.updateValue(try row.call(types), forKey: number)
      if second != nil {
        throw StreamError(.invalid, "\(S.name): it has two handlers for \(row.type.name)")
      }
    }
  }

  func handle(_ event: UnsafePointer<mainstem_event>) {
    let calls = event.pointee.status == 0 ? succeeded : failed
    let after = calls[event.pointee.type]?(&server, Delivery(event, types: types))
    after?(self, Delivery(event, types: types))
  }

  /// Lets a later step have the server.
  func change<Value>(_ step: (inout S) throws -> Value) rethrows -> Value { try step(&server) }

  /// Passes the table to `body` in the form C takes; valid for the call.
  func withRows(
    _ body: (UnsafeBufferPointer<mainstem_handler_row>) -> mainstem_status
  ) -> mainstem_status {
    var bytes: [CChar] = []
    let starts = names.map { name in
      defer { bytes += name.utf8CString }
      return bytes.count
    }
    return bytes.withUnsafeBufferPointer { bytes in
      let rows = starts.map { start in
        mainstem_handler_row(type: bytes.baseAddress.map { $0 + start }, fn: Callback.call)
      }
      return rows.withUnsafeBufferPointer(body)
    }
  }
}
