// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/blocks.h: undo logs

public import CMainstem
internal import MainstemCore

@implementation @_cdecl("mainstem_undo_log_add")
public func mainstem_undo_log_add(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ rows: UnsafePointer<mainstem_undo_log_row>?, _ rowSize: Int, _ count: Int,
  _ options: UnsafePointer<mainstem_undo_log_options>?, _ userData: UnsafeMutableRawPointer?,
  _ release: mainstem_release_fn?, _ log: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_undo_log_add", context) { () throws(Refusal) in
    log?.pointee = nil
    let resolved = try ResolvedHandle.changing(Handle(context))
    let table = try Table(rows, rowSize, count, "rows")
    guard name != nil else { throw .null("name") }
    guard count > 0 else { throw Refusal(.invalid, "count", "is 0: an undo log keeps commands") }
    guard let options else { throw .null("options") }
    let made = try options.pointee.make(resolved, table, count, userData)
    var server: OpaquePointer?
    do throws(Refusal) {
      try made.addServer(context, name, options.pointee, &server)
    } catch {
      made.free()
      throw error
    }
    do throws(Refusal) {
      try made.observe(server)
    } catch {
      mainstem_scope_end(server)
      throw error
    }
    made.pointee.release = release
    log?.pointee = server
  }
}

extension mainstem_undo_log_options {
  /// Checks all of it, and makes a log that has no server yet.
  fileprivate func make(
    _ resolved: ResolvedHandle, _ table: Table<mainstem_undo_log_row>, _ count: Int,
    _ userData: UnsafeMutableRawPointer?
  ) throws(Refusal) -> UndoLog.Pointer {
    try checkSize(size, MemoryLayout<mainstem_undo_log_options>.size, "options")
    guard flags == 0 else { throw Refusal(.invalid, "options.flags", "is not 0") }
    let own = (
      undo: try resolved.plainRequest(undo, "options.undo"),
      redo: try resolved.plainRequest(redo, "options.redo")
    )
    guard own.undo != own.redo else {
      throw Refusal(.invalid, "options.redo", "is the request that undoes, too")
    }
    let (shows, contract) = try resolved.type(shown, "options.shown")
    guard contract.isValue, contract.payload == .json else {
      throw Refusal(.invalid, "options.shown", "is not a value that is JSON", .named(shown))
    }
    try resolved.demand(.send, of: shows)
    guard let rows = Memory.allocate(UndoLog.Row.self, count: count) else { throw .noMemory }
    do throws(Refusal) {
      for index in 0..<count {
        (rows + index).initialize(
          to: try resolved.row(table[index], index, among: rows, not: own))
      }
      guard let log = Memory.allocate(UndoLog.self) else { throw .noMemory }
      log.initialize(
        to: UndoLog(
          rows: rows, rowCount: count, undo: own.undo, shown: shows,
          limit: limit.most(byDefault: 1024), stream: resolved.stream, userData: userData))
      return log
    } catch {
      Memory.free(rows)
      throw error
    }
  }
}

extension ResolvedHandle {
  /// A request that says nothing but its type, as does its answer.
  fileprivate func plainRequest(
    _ name: UnsafePointer<CChar>?, _ argument: Phrase
  ) throws(Refusal) -> mainstem_event_type {
    let (number, contract) = try type(name, argument)
    guard contract.role == .request, contract.payload == Contract.Payload.none,
      try answer(to: number)?.payload ?? Contract.Payload.none == Contract.Payload.none
    else {
      throw Refusal(
        .invalid, argument, "is not a request without a payload, also in its answer", .named(name))
    }
    return number
  }

  /// Checks a row.
  fileprivate func row(
    _ row: mainstem_undo_log_row, _ index: Int, among rows: UnsafeMutablePointer<UndoLog.Row>,
    not own: (undo: mainstem_event_type, redo: mainstem_event_type)
  ) throws(Refusal) -> UndoLog.Row {
    do throws(Refusal) {
      let (request, contract) = try command(row.request, "rows.request")
      let (undo, other) = try command(row.undo, "rows.undo")
      guard request != own.undo, request != own.redo else {
        throw Refusal(.invalid, "rows.request", "is a request that the undo log handles")
      }
      guard undo != own.undo, undo != own.redo else {
        throw Refusal(.invalid, "rows.undo", "is a request that the undo log handles")
      }
      for other in 0..<index where rows[other].request == request {
        throw Refusal(.invalid, "rows.request", "is in another row, too")
      }
      guard row.fn != nil || contract.hasSamePayload(as: other) else {
        throw Refusal(
          .invalid, "rows.fn", "is not set, and the payload passed on would not fit")
      }
      return UndoLog.Row(request: request, undo: undo, make: row.fn)
    } catch {
      throw error.inRow(index)
    }
  }

  /// A request that is kept, or made: no secret, nor is its answer.
  private func command(
    _ name: UnsafePointer<CChar>?, _ argument: Phrase
  ) throws(Refusal) -> (mainstem_event_type, Contract) {
    let (number, contract) = try type(name, argument)
    guard contract.role == .request else {
      throw Refusal(.invalid, argument, "is not a request", .named(name))
    }
    guard let answer = try answer(to: number) else {
      throw Refusal(.invalid, argument, "has an answer that was not added yet", .named(name))
    }
    guard !contract.isSecret, !answer.isSecret else {
      throw Refusal(
        .invalid, argument, "is a secret, or its answer is: an undo log keeps none", .named(name))
    }
    return (number, contract)
  }
}

extension UnsafeMutablePointer where Pointee == UndoLog {
  /// Adds its server, which frees the log from then on.
  fileprivate func addServer(
    _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
    _ options: mainstem_undo_log_options, _ server: UnsafeMutablePointer<OpaquePointer?>
  ) throws(Refusal) {
    var rows = (
      mainstem_handler_row(type: options.undo, fn: UndoLog.handle, flags: 0),
      mainstem_handler_row(type: options.redo, fn: UndoLog.handle, flags: 0)
    )
    var shows = mainstem_server_options()
    shows.size = UInt32(MemoryLayout<mainstem_server_options>.size)
    shows.show = UndoLog.show
    try withUnsafeMutableBytes(of: &rows) { rows throws(Refusal) in
      try MainstemC.addServer(
        context, name, rows.baseAddress?.assumingMemoryBound(to: mainstem_handler_row.self),
        MemoryLayout<mainstem_handler_row>.stride, 2, &shows, self, UndoLog.end, server)
    }
  }

  /// Adds its observer of commands and their answers.
  fileprivate func observe(_ server: OpaquePointer?) throws(Refusal) {
    let resolved = try ResolvedHandle.changing(Handle(server))
    pointee.origin = resolved.origin
    let count = pointee.rowCount
    guard let types = Memory.allocate(UInt32.self, count: 2 * count) else { throw .noMemory }
    defer { Memory.free(types) }
    try resolved.reading { () throws(Refusal) in
      for index in 0..<count {
        let request = pointee.rows[index].request
        (types + 2 * index).initialize(to: request)
        (types + 2 * index + 1).initialize(
          to: resolved.stream.state.pointee.types.response(of: request))
      }
    }
    var options = mainstem_observe_options()
    options.size = UInt32(MemoryLayout<mainstem_observe_options>.size)
    options.types = UnsafePointer(types)
    options.type_count = 2 * count
    let filter = try options.filter(of: resolved)
    let given = Subscription.Options(UndoLog.observe, self, UndoLog.unobserve, filter)
    use()
    do throws(Refusal) {
      try resolved.stream.observe(given, through: resolved, Handle(server), nil)
    } catch {
      unuse()
      filter.free()
      throw error
    }
  }
}
