// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Installs a server. The context owns it from now on.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - name: Its name: the origin of what it sends.
  /// - Returns: The server's scope; closing it ends the server.
  /// - Throws: The reason it was not installed.
  @discardableResult
  public func install<S: Server>(
    _ server: S, name: String = S.name
  ) throws(StreamError) -> Context {
    try add(server, name, UInt32(MAINSTEM_SCHEDULER_IMMEDIATE), .reject())
  }

  /// Installs a server whose handlers run when the context drains.
  ///
  /// What they answer and send are inputs: a replay does not call them, and the server need not be there.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - name: Its name: the origin of what it sends.
  ///   - scheduler: When its handlers run.
  ///   - queue: How much may wait for each handler. A queue that drops events is refused.
  /// - Returns: The server's scope; closing it ends the server.
  /// - Throws: The reason it was not installed.
  @discardableResult
  public func install<S: Server>(
    _ server: S, name: String = S.name, on scheduler: Scheduler, queue: Queue = .reject()
  ) throws(StreamError) -> Context {
    try add(server, name, scheduler.number, queue)
  }

  /// Installs a server whose handlers run on a serial scheduler's thread: a slow disk or network holds up no
  /// other event.
  ///
  /// What they answer is an input: a replay does not call them, and the server need not be there.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - name: Its name: the origin of what it sends.
  ///   - scheduler: The scheduler whose thread runs its handlers, one at a time.
  ///   - queue: How much may wait for each handler. A queue that drops events is refused.
  /// - Returns: The server's scope; closing it ends the server.
  /// - Throws: The reason it was not installed.
  @discardableResult
  public func install<S: Server & Sendable>(
    _ server: S, name: String = S.name, on scheduler: SerialScheduler, queue: Queue = .reject()
  ) throws(StreamError) -> Context {
    try add(server, name, scheduler.number, queue)
  }

  /// Makes this scope, which a service fills, a server.
  func become<S: Server>(_ server: S) throws(StreamError) {
    _ = try add(server, nil, UInt32(MAINSTEM_SCHEDULER_IMMEDIATE), .reject())
  }

  /// Makes this scope a server that is held already.
  func become<S: Server>(_ house: ServerHouse<S>) throws(StreamError) {
    _ = try add(house, nil, .reject())
  }

  private func add<S: Server>(
    _ server: S, _ name: String?, _ scheduler: mainstem_scheduler, _ queue: Queue
  ) throws(StreamError) -> Context {
    let table = try ServerTable<S>(types)
    return try add(ServerHouse(server, table, types: types, on: scheduler), name, queue)
  }

  private func add<S: Server>(
    _ house: ServerHouse<S>, _ name: String?, _ queue: Queue
  ) throws(StreamError) -> Context {
    let table = house.table
    guard table.model.isEmpty, table.heard.isEmpty, table.opened.isEmpty else {
      throw StreamError(.invalid, "\(S.name): is a view model: open it with context.open(…)")
    }
    let callback = Callback { event in
      house.handle(event)
    } showing: { scope in
      house.show(through: scope)
    }
    var options = mainstem_server_options()
    options.size = UInt32(MemoryLayout<mainstem_server_options>.size)
    options.scheduler = house.scheduler
    queue.write(to: &options)
    if table.shown != nil { options.show = Callback.show }
    var scope: OpaquePointer?
    try callback.keep { userData, release in
      table.withRows { rows in
        mainstem_server_add_with(
          handle, name, rows.baseAddress,
          MemoryLayout<mainstem_handler_row>.stride, rows.count, &options, userData, release,
          &scope)
      }
    }
    return Context(scope, types: types, ownership: .none)
  }
}
