// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Plain state with a table of handlers: it answers requests and reacts to events.
///
/// A context owns the value and calls one handler at a time. Handlers are functions of the state,
/// so a test can call them without a context.
///
///     struct TodoServer: Server {
///       var todos: [Int: Todo] = [:]
///       mutating func toggle(_ request: RequestToggle) throws -> ResponseTodo { … }
///       static func handlers(_ on: inout Handlers<Self>) {
///         on.answer(RequestToggle.self) { try $0.toggle($1) }
///       }
///     }
public protocol Server {
  /// The origin of what it sends. The default is the name of the Swift type.
  static var name: String { get }

  /// Fills the table. Called once, when the server is installed.
  ///
  /// - Parameter on: The table.
  static func handlers(_ on: inout Handlers<Self>)
}

extension Server {
  /// The name of the Swift type.
  public static var name: String { String(describing: Self.self) }
}

// MARK: - Installing

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
    try add(server, name, .immediate, .reject())
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
    try add(server, name, scheduler, queue)
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
    try add(server, name, scheduler.unchecked, queue)
  }

  /// Makes this scope, which a service fills, a server.
  func become<S: Server>(_ server: S) throws(StreamError) {
    _ = try add(server, nil, .immediate, .reject())
  }

  /// Makes this scope a server that is held already.
  func become<S: Server>(_ house: ServerHouse<S>) throws(StreamError) {
    _ = try add(house, nil, .reject())
  }

  private func add<S: Server>(
    _ server: S, _ name: String?, _ scheduler: Scheduler, _ queue: Queue
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
    options.scheduler = house.scheduler.number
    (options.policy, options.limit_events, options.limit_bytes) = queue.bounds
    if table.shown != nil { options.show = Callback.show }
    var scope: OpaquePointer?
    try callback.keep { userData, release in
      table.handled.withRows { rows in
        mainstem_server_add_with(
          handle, name, rows.baseAddress,
          MemoryLayout<mainstem_handler_row>.stride, rows.count, &options, userData, release,
          &scope)
      }
    }
    return Context(scope, types: types, ownership: .none)
  }
}

// MARK: - While it is installed

/// Holds a server's value while it is installed.
///
/// The core never re-enters a callback, so the value is never accessed twice at the same time.
class ServerHouse<S: Server> {
  @exclusivity(unchecked) final var server: S
  final let types: EventTypes
  final let table: ServerTable<S>
  /// Where its handlers run, and its steps after an answer: one at a time.
  final let scheduler: Scheduler

  init(
    _ server: S, _ table: ServerTable<S>, types: EventTypes, on scheduler: Scheduler
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
}

/// A type that a server handles.
struct HandledType {
  let type: any Event.Type
  /// The flags of its row in C.
  let flags: UInt32

  var isOwn: Bool { flags & UInt32(MAINSTEM_HANDLER_OWN) != 0 }
}

extension [HandledType] {
  /// Passes them to `body` as rows of C; valid for the call.
  func withRows(
    _ body: (UnsafeBufferPointer<mainstem_handler_row>) -> mainstem_status
  ) -> mainstem_status {
    CStrings(map { $0.type.name }).withPointers { names in
      let rows = zip(names, self).map { name, row in
        mainstem_handler_row(type: name, fn: Callback.call, flags: row.flags)
      }
      return rows.withUnsafeBufferPointer(body)
    }
  }
}
