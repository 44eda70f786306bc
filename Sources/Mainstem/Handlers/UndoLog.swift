// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A command that an undo log keeps, and what undoes it.
public struct Undoable {
  let command: any Request.Type
  let undo: any Request.Type
  let make: (UnsafePointer<mainstem_workflow_run>, EventTypes, mainstem_event_type) -> Void

  /// Makes one.
  ///
  /// - Parameters:
  ///   - command: The type of the command.
  ///   - undo: The type of the request that undoes it.
  ///   - make: Makes that request when the command has succeeded; `nil` leaves the command out of the log.
  public init<Command: Request, Undo: Request>(
    _ command: Command.Type, by undo: Undo.Type,
    _ make: @escaping (borrowing WorkflowRun<Command>) throws -> Undo?
  ) {
    self.command = command
    self.undo = undo
    self.make = { run, types, number in
      let made = WorkflowRun<Command>(run: run, types: types, numbers: [number])
      do {
        try made.pass(try make(made))
      } catch {
        _ = Failure(error, handling: Command.self).withError { mainstem_workflow_fail(run, $0) }
      }
    }
  }
}

extension Context {
  /// Adds an undo log: a server that observes commands, and undoes them when it is asked.
  ///
  ///     try context.addUndoLog(
  ///       "Undo",
  ///       [
  ///         Undoable(RequestAdd.self, by: RequestRemove.self) {
  ///           RequestRemove(id: try $0.answer(to: RequestAdd.self).id)
  ///         }
  ///       ], undo: RequestUndo.self, redo: RequestRedo.self, shown: UndoState.self)
  ///
  /// `undo` requests what undoes the newest command, and `redo` requests the command that was undone last; if that fails,
  /// the error is passed on, and the log stays as it was. Commands that one event caused are one step. A new command
  /// empties what can be done again. If a closure fails, the log is emptied, and reported as a ``FailureReport``.
  ///
  /// - Parameters:
  ///   - name: Its name: the origin of what it sends.
  ///   - commands: The commands that it keeps.
  ///   - undo: The request to undo a step; without fields, as is its answer.
  ///   - redo: The request to do a step again; also without fields.
  ///   - shown: A value with the fields `undo` and `redo`, the types of the commands that come next, or "", and `count`,
  ///     the number of steps that can be undone.
  ///   - limit: How many steps it keeps; then the oldest is forgotten.
  /// - Returns: Its scope; closing it ends the log.
  /// - Throws: The reason it was not added.
  @discardableResult
  public func addUndoLog<Undo: Request, Redo: Request, Shown: Event>(
    _ name: String, _ commands: [Undoable], undo: Undo.Type, redo: Redo.Type, shown: Shown.Type,
    limit: Int = 1024
  ) throws(StreamError) -> Context {
    guard limit > 0 else {
      throw StreamError(.invalid, "addUndoLog: limit is \(limit): at least 1")
    }
    _ = try types.number(of: undo)
    _ = try types.number(of: redo)
    _ = try types.number(of: shown)
    let types = types
    let numbers = try commands.map { each throws(StreamError) in
      _ = try types.number(of: each.undo)
      return try types.number(of: each.command)
    }
    var scope: OpaquePointer?
    let payloads = Held<(UnsafePointer<mainstem_workflow_run>) -> Void> { run in
      let row = run.pointee.row
      commands[row].make(run, types, numbers[row])
    }
    try payloads.keep { userData, release in
      CStrings(
        [Undo.name, Redo.name, Shown.name] + commands.flatMap { [$0.command.name, $0.undo.name] }
      )
      .withPointers { names in
        let rows = commands.indices.map {
          mainstem_undo_log_row(
            request: names[3 + 2 * $0], undo: names[4 + 2 * $0], fn: makePayload)
        }
        var options = mainstem_undo_log_options()
        options.size = UInt32(MemoryLayout<mainstem_undo_log_options>.size)
        options.undo = names[0]
        options.redo = names[1]
        options.shown = names[2]
        options.limit = limit
        return mainstem_undo_log_add(
          handle, name, rows, MemoryLayout<mainstem_undo_log_row>.stride, rows.count, &options,
          userData, release, &scope)
      }
    }
    return Context(scope, types: types, ownership: .none)
  }
}
