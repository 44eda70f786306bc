// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a kind of server handles and shows, in one context.
final class ServerTable<S: Server> {
  /// What it shows; nil: nothing.
  let shown: ((S) throws -> [any Notice])?
  /// What it shows and can be told as a view model.
  let model: [ModelRow<S>]
  /// What is done once when it is opened as a view model.
  let opened: [(inout S, Run<S>) throws -> Void]
  /// What it hears of other view models, as one itself.
  let heard: [(ModelHouse<S>) throws -> Void]
  private(set) var handled: [HandledType] = []
  /// By number: found faster than in a dictionary, which would look up the type of the calls each time.
  private var rows: [Row] = []

  init(_ types: EventTypes) throws(StreamError) {
    guard !(S.self is AnyClass) else {
      throw StreamError(
        .invalid,
        "\(S.name): a server or view model is a value, and this is a class: make it a struct, and keep what it shares"
          + " with others in a property")
    }
    var table = Handlers<S>()
    S.handlers(&table)
    guard table.shown.count <= 1 else {
      throw StreamError(.invalid, "\(S.name): it has two functions that show: say all in one")
    }
    if let name = table.commandWithEffect {
      throw StreamError(
        .invalid, "\(S.name): the command \(name) says an effect: only handlers of events have one")
    }
    shown = table.shown.first
    model = table.model
    opened = table.opened
    heard = table.heard
    for row in table.rows { try add(row, types) }
    for type in table.asked { _ = try types.number(of: type) }
  }

  private func add(_ row: HandlerRow<S>, _ types: EventTypes) throws(StreamError) {
    let number = try types.number(of: row.type)
    let place = place(of: number)
    if place == rows.count || rows[place].number != number {
      handled.append(HandledType(type: row.type, flags: row.flags))
      rows.insert(Row(number), at: place)
    } else if !handled.contains(where: { $0.type.name == row.type.name && $0.isOwn == row.isOwn }) {
      throw StreamError(
        .invalid, "\(S.name): only one of its handlers for \(row.type.name) is own")
    }
    guard rows[place].add(try row.call(types), failed: row.failed) else {
      throw StreamError(.invalid, "\(S.name): it has two handlers for \(row.type.name)")
    }
  }

  /// What is called for an event.
  func call(for event: UnsafePointer<mainstem_event>) -> Handlers<S>.Call? {
    let place = place(of: event.pointee.type)
    guard place < rows.count, rows[place].number == event.pointee.type else { return nil }
    return event.pointee.status == 0 ? rows[place].succeeded : rows[place].failed
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

  /// Passes the handlers to `body` in the form C takes; valid for the call.
  func withRows(
    _ body: (UnsafeBufferPointer<mainstem_handler_row>) -> mainstem_status
  ) -> mainstem_status {
    CStrings(handled.map { $0.type.name }).withPointers { names in
      let rows = zip(names, handled).map { name, row in
        mainstem_handler_row(type: name, fn: Callback.call, flags: row.flags)
      }
      return rows.withUnsafeBufferPointer(body)
    }
  }
}

/// A type that a server handles.
struct HandledType {
  let type: any Event.Type
  /// The flags of its row in C.
  let flags: UInt32

  var isOwn: Bool { flags & UInt32(MAINSTEM_HANDLER_OWN) != 0 }
}
