// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Holds a server's value while it is installed.
///
/// The core never re-enters a callback, so the value is never accessed twice at the same time.
class ServerHouse<S: Server> {
  @exclusivity(unchecked) final var server: S
  final let types: EventTypes
  final let table: ServerTable<S>
  /// Where its handlers run, and its steps after an answer: one at a time.
  final let scheduler: mainstem_scheduler

  init(
    _ server: S, _ table: ServerTable<S>, types: EventTypes, on scheduler: mainstem_scheduler
  ) {
    self.server = server
    self.table = table
    self.types = types
    self.scheduler = scheduler
  }

  final func handle(_ event: UnsafePointer<mainstem_event>) {
    let call = table.call(for: event)
    let after = call?(&server, Delivery(event, types: types))
    after?(self, Delivery(event, types: types))
    hasChanged()
  }

  /// Lets a later step have the server.
  final func change<Value>(_ step: (inout S) throws -> Value) rethrows -> Value {
    defer { hasChanged() }
    return try step(&server)
  }

  /// The server may have another value now.
  func hasChanged() {}
}
