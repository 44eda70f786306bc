// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A server's table of handlers: which function is called for which event.
///
/// A server has at most one handler per event type, plus one for the failed responses of a type.
public struct Handlers<S: Server> {
  /// Handles an event; what it returns is called next, without the server at hand.
  typealias Call = (inout S, borrowing Delivery) -> ((ServerHouse<S>, borrowing Delivery) -> Void)?

  var rows: [HandlerRow<S>] = []
  /// What the server shows: at most one function.
  var shown: [(S) throws -> [any Notice]] = []
  /// What a view model shows and can be told.
  var model: [ModelRow<S>] = []
  /// What a view model hears of others.
  var heard: [(ModelHouse<S>) throws -> Void] = []
  /// The first command that says an effect, which it cannot.
  var commandWithEffect: String?
  /// What a view model does once, when it is opened.
  var opened: [(inout S, Run<S>) throws -> Void] = []
  /// The types that it asks.
  var asked: [any Event.Type] = []

  /// Answers requests of a type.
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - body: Gets the server and the request, and returns the answer. If it throws, or the payload
  ///     cannot be decoded, the response fails.
  public mutating func answer<R: Request>(
    _ type: R.Type, _ body: @escaping (inout S, R) throws -> R.Answer
  ) {
    answer(type) { server, request, _ in try body(&server, request) }
  }

  /// Answers requests of a type, given what the stream knows about them.
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - body: Gets the server, the request and its delivery, and returns the answer. What it sends with
  ///     ``Delivery/send(_:)`` has the server's name.
  public mutating func answer<R: Request>(
    _ type: R.Type, _ body: @escaping (inout S, R, borrowing Delivery) throws -> R.Answer
  ) {
    rows.append(
      HandlerRow(type: type, failed: false) { types throws(StreamError) in
        let known = try types.reader(of: type)
        return { server, delivery in
          delivery.answer(type) { delivery throws in
            try body(&server, known.decoded(delivery), delivery)
          }
          return nil
        }
      })
  }

  /// Handles events of a type; failed responses are left out.
  ///
  ///     on.event(Paid.self) { server, paid in
  ///       server.sum += paid.cents
  ///       return [SumChanged(cents: server.sum)]
  ///     }
  ///
  /// - Parameters:
  ///   - type: The event type.
  ///   - body: Gets the server and the event, and returns the events to send, in order. For a request,
  ///     an event of its `Answer` type answers it. If it throws, or the payload cannot be decoded, a
  ///     request gets a failed response; for any other event a ``FailureReport`` is sent.
  public mutating func event<E: Event>(
    _ type: E.Type, _ body: @escaping (inout S, E) throws -> [any Event]
  ) {
    event(type) { server, event, _ in try body(&server, event) }
  }

  /// Handles events of a type, given what the stream knows about them.
  ///
  /// - Parameters:
  ///   - type: The event type.
  ///   - body: Gets the server, the event and its delivery, and returns the events to send.
  public mutating func event<E: Event>(
    _ type: E.Type, _ body: @escaping (inout S, E, borrowing Delivery) throws -> [any Event]
  ) {
    rows.append(
      HandlerRow(type: type, failed: false) { types throws(StreamError) in
        let known = try types.reader(of: type)
        return { server, delivery in
          delivery.conclude(type) { delivery throws in
            try body(&server, known.decoded(delivery), delivery)
          }
          return nil
        }
      })
  }

  /// Handles failed responses of a type.
  ///
  /// - Parameters:
  ///   - type: The response type.
  ///   - body: Gets the server, the failure and its delivery, and returns the events to send.
  public mutating func failed<R: Response>(
    _ type: R.Type, _ body: @escaping (inout S, Failure, borrowing Delivery) throws -> [any Event]
  ) {
    rows.append(
      HandlerRow(type: type, failed: true) { _ in
        { server, delivery in
          delivery.conclude(type) { delivery throws in
            try body(&server, Failure(of: delivery.event), delivery)
          }
          return nil
        }
      })
  }
}

extension Handlers {
  /// Adds handlers that get only what is sent through the server's own scope: by the server itself, and by whoever has
  /// its scope.
  ///
  ///     on.own { own in
  ///       own.answer(RequestUndo.self) { server, _ in server.undo() }
  ///     }
  ///
  /// They come after the handlers and observers of every scope. A server's handlers of one type are all own, or none.
  ///
  /// - Parameter table: Gets a table for them.
  public mutating func own(_ table: (inout Handlers) -> Void) {
    add(table) { $0.isOwn = true }
  }

  /// Adds handlers of requests that other servers handle, too, on purpose.
  ///
  ///     on.several { on in
  ///       on.answer(RequestQuote.self) { server, request in try server.quote(request) }
  ///     }
  ///
  /// A request has one handler: the second server that has one is refused with ``Status/invalid``, unless the handlers of
  /// both are added like this. Then both are called, and the first answer counts.
  ///
  /// - Parameter table: Gets a table for them.
  public mutating func several(_ table: (inout Handlers) -> Void) {
    add(table) { $0.isOneOfSeveral = true }
  }

  /// Adds handlers that do one thing to what the server shows.
  ///
  ///     on.effect(.fetch) { on in
  ///       on.answer(RequestFetchEntries.self) { diary, _ in diary.entries }
  ///     }
  ///
  /// - Parameters:
  ///   - effect: What they do. A fetch that changes a value of its server has failed, in steps that follow the answers
  ///     to what it asks, too; not in tasks, which are no part of the delivery. A command has none: to execute is a
  ///     value of its own.
  ///   - table: Gets a table for them.
  public mutating func effect(_ effect: Effect, _ table: (inout Handlers) -> Void) {
    var added = Handlers()
    table(&added)
    commandWithEffect = commandWithEffect ?? added.model.first { $0.kind == .command }?.name
    add(added) { $0.effect = effect }
  }

  private mutating func add(
    _ table: (inout Handlers) -> Void, _ change: (inout HandlerRow<S>) -> Void
  ) {
    var added = Handlers()
    table(&added)
    add(added, change)
  }

  private mutating func add(_ added: Handlers, _ change: (inout HandlerRow<S>) -> Void) {
    for var row in added.rows {
      change(&row)
      rows.append(row)
    }
    shown += added.shown
    model += added.model
    heard += added.heard
    opened += added.opened
    asked += added.asked
    commandWithEffect = commandWithEffect ?? added.commandWithEffect
  }
}

/// One row of the table.
struct HandlerRow<S: Server> {
  let type: any Event.Type
  let failed: Bool
  /// It gets only what is sent through its server's scope.
  var isOwn = false
  /// Other servers handle its type, too.
  var isOneOfSeveral = false
  /// What it does to what its server shows.
  var effect: Effect?

  /// The flags of its row in C.
  var flags: UInt32 {
    (isOwn ? UInt32(MAINSTEM_HANDLER_OWN) : 0)
      | (isOneOfSeveral ? UInt32(MAINSTEM_HANDLER_SEVERAL) : 0) | (effect?.flag ?? 0)
  }

  /// Makes the call, for the types of the context where the server is installed.
  let call: (EventTypes) throws(StreamError) -> Handlers<S>.Call
}

/// What a handler does to the values of its server.
///
/// The name of a request may not say another effect: `RequestFetchEntries` is a fetch. A view model shows as its commands
/// execute, so there only the names are checked: let a service fetch.
public enum Effect: Sendable {
  /// Gets something, and changes no value of its server: neither in its handler, nor in what that asks for, nor when
  /// the answer comes. A change is refused, and is a failure.
  case fetch
  /// Gets a list anew.
  case reload
  /// Gets the next part of a list.
  case loadMore
  /// Gets one thing anew, or changes it.
  case update
  /// Does something, such as signing in.
  case perform

  /// The flag of a row in C.
  var flag: UInt32 {
    let flag =
      switch self {
      case .fetch: MAINSTEM_HANDLER_FETCH
      case .reload: MAINSTEM_HANDLER_RELOAD
      case .loadMore: MAINSTEM_HANDLER_LOAD_MORE
      case .update: MAINSTEM_HANDLER_UPDATE
      case .perform: MAINSTEM_HANDLER_PERFORM
      }
    return UInt32(flag)
  }
}

// MARK: - What it shows

extension Handlers {
  /// Says what the server shows, as a function of its state (law 14).
  ///
  ///     on.show { [SumShown(cents: $0.sum)] }
  ///
  /// It is called once for each event that the server got, when everybody has seen that event, and before the answers that
  /// its handlers give arrive. The first call comes before the next event, or after the event of the callback that installs
  /// the server. If the notices find no room, it is called again after the next event. A server on a scheduler has none.
  ///
  /// A notice whose role is ``Role/value`` is a value: it is only sent if it differs.
  ///
  /// - Parameter body: Gets the server, and returns all that is to be seen, in order. If it throws, that counts as a
  ///   failed callback.
  public mutating func show(_ body: @escaping (S) throws -> [any Notice]) { shown.append(body) }
}

extension ServerHouse {
  /// Sends what the server shows through its scope, and returns a status for C.
  func show(through scope: OpaquePointer?) -> mainstem_status {
    let context = Context(scope, types: types, ownership: .none)
    do {
      for notice in try table.shown?(server) ?? [] { try context.say(notice) }
      return 0
    } catch {
      return Failure(error).code.rawValue
    }
  }
}

extension Context {
  /// Sets a value, or sends a notice.
  fileprivate func say<N: Notice>(_ notice: N) throws(StreamError) {
    if N.role == .value { try set(notice) } else { try send(notice) }
  }
}
