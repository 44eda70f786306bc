// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Holds a view model while it lives.
final class ModelHouse<S: Server>: ServerHouse<S> {
  let kind: ModelKind<S>
  /// What makes it a reactor; nil: it is none.
  var reacting: AnyObject?
  /// Its scope, when it has been added.
  private(set) var scope: OpaquePointer?
  @exclusivity(unchecked) private var rows: [LiveRow] = []
  /// Its children, which come and go when it may have changed.
  @exclusivity(unchecked) private var families: [Family] = []
  /// Why they could not, until that is told.
  private var failure: (any Error)?
  /// What waits to be told, by row.
  private var told: [(row: Int, bytes: [UInt8])] = []
  private var opening: Opening
  /// Whether all of it has been added. Values that are there are heard, and followed by a show, before that.
  private var isAdded = false
  private var hasShown = false
  /// Whether views are told what they see of its commands, too: it is a child.
  private let saysCommands: Bool
  /// Whether they have been.
  private var hasSaidCommands = false
  /// Whether it is the instance of a service, which hands it what others ask.
  let isService: Bool

  /// Whether what it does when it is opened is done.
  private enum Opening {
    /// What it asks for must follow from an event, so that a replay asks again: the first show sends one.
    case toTell, told
    case done
  }

  init(
    _ server: S, _ kind: ModelKind<S>, types: EventTypes, saysCommands: Bool = false,
    isService: Bool = false
  ) {
    self.kind = kind
    self.saysCommands = saysCommands
    self.isService = isService
    opening = kind.table.opened.isEmpty ? .done : .toTell
    super.init(server, kind.table, types: types, on: .immediate)
    rows = kind.table.model.map { $0.begin(self) }
  }

  /// Adds it to a scope or context, as a child or as that scope itself.
  ///
  /// - Parameters:
  ///   - name: The child's name; nil: it becomes the scope itself.
  ///   - isInside: Whether this is in an immediate callback.
  func add(to parent: Context, name: String?, isInside: Bool) throws {
    let callback = Callback(types) { [self] delivery in
      guard let place = kind.row(of: delivery.event.pointee.type) else { return }
      try rows[place].call?(delivery)
    } showing: { [self] in
      say(through: $0)
    }
    var scope: OpaquePointer?
    try callback.keep { userData, release in
      kind.withRows { rows in
        let size = MemoryLayout<mainstem_viewmodel_row>.stride
        return mainstem_viewmodel_add(
          parent.handle, name, rows.baseAddress, size, rows.count,
          Callback.show, userData, release, &scope)
      }
    }
    self.scope = scope
    do {
      try kind.learn(types)
      try observe(through: context)
      for hear in table.heard { try hear(self) }
      if opening == .toTell {
        if isInside { try open() } else { try observeOpening() }
      }
      try settle(isInside)
      isAdded = true
      if hasShown { try tellOpening(scope) }
    } catch {
      mainstem_scope_end(scope)
      throw error
    }
  }

  /// Waits for the event that the first show sends.
  private func observeOpening() throws {
    let number = try kind.openingType(types)
    let callback = Callback(types) { [self] _ in if opening != .done { try open() } }
    try observe(number, of: context, through: context, callback)
  }

  /// Does what is to be done when it is opened.
  private func open() throws {
    opening = .done
    for body in table.opened {
      let run = Run(self)
      run.goOn { try body(&$0, run) }
      try run.check()
    }
  }

  /// Requests a command of its own, with nothing.
  func request(_ command: String) throws(StreamError) {
    let number = kind.numbers[kind.place(of: command)]
    try StreamError.check(mainstem_request(scope, number, nil, 0, nil, nil, nil))
  }

  /// Its scope, to ask and send through.
  var context: Context { Context(scope, types: types, ownership: .none) }

  /// The family that a row begins.
  func begin(_ family: Family) { families.append(family) }

  /// Its children follow what it has become.
  override func hasChanged() {
    do { try settle(true) } catch { failure = error }
  }

  private func settle(_ isInside: Bool) throws {
    for family in families { try family.settle(isInside) }
  }

  /// Says what is to be seen: its children first, so that who hears of them finds them ready; values, then pulses.
  func say(through scope: OpaquePointer?) -> mainstem_status {
    do {
      guard opening == .done else {
        try tellOpening(scope)
        return 0
      }
      for family in families { family.show() }
      let numbers = kind.numbers
      for place in numbers.indices {
        try rows[place].show?(
          ValueSetter(scope: scope, number: numbers[place], types: types))
      }
      if saysCommands { try sayCommands(scope) }
      try tell(scope)
      if let failure {
        self.failure = nil
        throw failure
      }
      return 0
    } catch {
      return Failure(error).code.rawValue
    }
  }

  private func sayCommands(_ scope: OpaquePointer?) throws(StreamError) {
    for command in kind.commands {
      try command.say(server, through: scope, isFirst: !hasSaidCommands)
    }
    hasSaidCommands = true
  }

  private func tellOpening(_ scope: OpaquePointer?) throws(StreamError) {
    hasShown = true
    guard opening == .toTell, isAdded else { return }
    // Outside callbacks it is delivered in the call.
    opening = .told
    do throws(StreamError) {
      try StreamError.check(mainstem_send(scope, try kind.openingType(types), nil, 0))
    } catch {
      opening = .toTell
      throw error
    }
  }

  /// Tells a pulse after the next values.
  func tell(_ bytes: [UInt8], row place: Int) { told.append((place, bytes)) }

  /// Tells the pulses; what finds no room is told the next time.
  private func tell(_ scope: OpaquePointer?) throws {
    for place in kind.pulses {
      guard let pulses = rows[place].pulses else { continue }
      for bytes in try pulses(types) { told.append((place, bytes)) }
    }
    while let (place, bytes) = told.first {
      try StreamError.check(mainstem_send(scope, kind.numbers[place], bytes, bytes.count))
      told.removeFirst()
    }
  }
}

/// The handlers of a view model that are those of every server.
extension ModelHouse {
  /// Observes what they handle through the model's scope, so that the model shows after each.
  func observe(through scope: Context) throws(StreamError) {
    let requests = table.handled.filter { $0.type.role == .request }
    for row in table.handled {
      let (type, isOwn) = (row.type, row.isOwn)
      if isOwn, type.role == .request {
        throw StreamError(
          .invalid, "\(kind.owner): answers \(type.name) as its own: make it a command")
      }
      if isService, type.role == .request { continue }
      let callback = Callback { [self] event in
        // One request stands for all that share it.
        if !isAsker(event) { handle(event) }
      }
      try observe(try types.number(of: type), of: isOwn ? scope : nil, through: scope, callback)
    }
    if requests.isEmpty { return }
    if isService {
      // Only handlers get the request that has made the service.
      try add(requests, to: scope, named: nil, Callback { [self] in handle($0) })
    } else {
      // They only say that these requests are handled: an observer answers them.
      try add(requests, to: scope, named: "\(kind.owner).requests", Callback { _ in })
    }
  }

  private func isAsker(_ event: UnsafePointer<mainstem_event>) -> Bool {
    let both = UInt32(MAINSTEM_EVENT_SHARED | MAINSTEM_EVENT_TRACKED)
    return event.pointee.flags & both == both
  }

  /// Observes a type until the model ends.
  func observe(
    _ number: mainstem_event_type, of origin: Context?, through scope: Context,
    _ callback: Callback
  ) throws(StreamError) {
    try callback.keep { userData, release in
      ObserverOptions(of: origin).pass(number) {
        mainstem_observe_with(scope.handle, $0, Callback.call, userData, release, nil)
      }
    }
  }

  /// Adds handlers of requests, as a server of their own or, without a name, to the scope itself.
  private func add(
    _ requests: [HandledType], to scope: Context, named name: String?,
    _ callback: Callback
  ) throws(StreamError) {
    try callback.keep { userData, release in
      requests.withRows { rows in
        mainstem_server_add(
          scope.handle, name, rows.baseAddress,
          MemoryLayout<mainstem_handler_row>.stride, rows.count, userData, release, nil)
      }
    }
  }
}
