// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Where the handlers of a server are called, and how much may wait for each of them.
package struct HandlerPlace {
  package let scheduler: UInt32
  package let bounds: SubscriptionQueue.Bounds

  package init(scheduler: UInt32, bounds: SubscriptionQueue.Bounds) {
    self.scheduler = scheduler
    self.bounds = bounds
  }

  /// By whoever delivers.
  package static var immediate: HandlerPlace {
    HandlerPlace(scheduler: Schedulers.immediate, bounds: .none)
  }
}

/// Handlers: observers of one type each, registered together.
extension Stream {
  /// Registers the handlers of a server, and lets them join. The release hook goes with the first one, which ends last.
  /// No call takes their handles. Under the lock.
  ///
  /// - Parameters:
  ///   - handler: Returns the handler at an index.
  ///   - duty: What is left to do after unlocking, also if it fails.
  @inline(never)
  package func enroll(
    _ scope: Scope.Pointer, _ count: Int, _ handler: (Int) -> HandlerRow,
    at place: HandlerPlace, _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
    _ attempt: Attempt, _ duty: inout Duty
  ) throws(Refusal) {
    let isScheduled = place.scheduler != Schedulers.immediate
    if count == 0, release != nil {
      var hook = Subscription.Options({ _, _ in }, userData, release, .nothing)
      hook.kind = .inner
      return try enroll(
        1, in: scope, scope.pointee.handle, attempt, &duty, showing: Show.unjoined(of: scope)
      ) { [hook] _ in hook }
    }
    try enroll(
      count, in: scope, scope.pointee.handle, attempt, &duty, showing: Show.unjoined(of: scope)
    ) { index in
      let row = handler(index)
      // The rows have been checked.
      let type = row.type.map { state.pointee.types.find(Bytes(zeroEnded: $0)) } ?? 0
      var options = Subscription.Options(
        row.function ?? { _, _ in }, userData, index == 0 ? release : nil, .one(type))
      options.kind = .inner
      options.call.isHandler = true
      // The handlers of a service get what others send from the service.
      if row.isOwn || scope.pointee.service != 0 && !isScheduled {
        options.call.isOfOneOrigin = true
        options.origin = scope.pointee.origin
      }
      if row.isFetch {
        options.call.isFetch = true
        state.pointee.delivery.hasFetches.store(true, ordering: .relaxed)
      }
      (options.call.isForOthers, options.call.isOneOfSeveral) = (!row.isOwn, row.isOneOfSeveral)
      options.call.wantsWritten = row.isWritten
      options.call.isScheduled = isScheduled
      options.scheduler = place.scheduler
      options.bounds = place.bounds
      return options
    }
  }

  /// Registers observers together, and lets them join: all or none. Under the lock.
  ///
  /// - Parameters:
  ///   - through: The handle that their callbacks get.
  ///   - duty: What is left to do after unlocking, also if it fails.
  ///   - show: The show function that joins behind them, if there is one.
  ///   - given: Gets each one's handle, before it can be called.
  ///   - options: Returns what is asked for, by index.
  @inline(never)
  package func enroll(
    _ count: Int, in scope: Scope.Pointer, _ through: Handle, _ attempt: Attempt,
    _ duty: inout Duty, showing show: Show.Pointer? = nil,
    given: (Int, Handle) -> Void = { _, _ in },
    _ options: (Int) -> Subscription.Options
  ) throws(Refusal) {
    if attempt.lack != nil { throw observersRefusal(scope) }
    var registration = Registration()
    var isScheduled = false
    var index = 0
    while index < count {
      let asked = options(index)
      given(index, try register(asked, scope, through, &registration))
      if asked.scheduler != Schedulers.immediate { isScheduled = true }
      index &+= 1
    }
    if let show {
      _ = try register(Show.options(of: show), scope, through, &registration)
      Show.join(registration.last, to: show)
    }
    if isScheduled { try prepareGaps(for: &registration) }
    try join(&registration, &duty)
  }
}

/// A request has one handler, unless all of its handlers say that there are several. Under the lock.
extension Stream {
  /// Refuses a handler of a request that would have another one, too, if one of them does not say that it is one of
  /// several. A type that names no response is never asked, only sent.
  ///
  /// - Parameter table: The number of the table that the row is in.
  package func demandAlone(
    _ row: HandlerRow, _ type: UInt32, in table: UInt32
  ) throws(Refusal) {
    // In a session of before, a callback that added one beside another does so again: law 11.
    guard !followsOldSession,
      let observers = state.pointee.observers.find(type),
      observers.pointee.contract.role == .request
    else { return }
    let isTwice = observers.pointee.lastTable == table
    observers.pointee.lastTable = table
    if isTwice, !row.isOneOfSeveral {
      guard state.pointee.types.isAnswered(type) else { return }
      throw Refusal(
        .invalid, "",
        "has two rows: a request has one handler; mark both with MAINSTEM_HANDLER_SEVERAL if they are wanted",
        .name(state.pointee.types[type]?.name.bytes ?? Bytes("")))
    }
    var other = observers.pointee.handler(against: row)
    if other == nil, observers.pointee.hasOwnHandlers(against: row) {
      other = state.pointee.observers.firstOwnHandler(of: type, lonely: row.isOneOfSeveral)
    }
    if let other { try demandNoOther(of: type, than: other) }
  }

  @inline(never)
  private func demandNoOther(of type: UInt32, than other: Subscription.Pointer) throws(Refusal) {
    guard state.pointee.types.isAnswered(type) else { return }
    var subject = SubjectWriter()
    subject.add(state.pointee.types[type]?.name.bytes ?? Bytes(""))
    subject.add(" has a handler in the server ")
    subject.add(
      state.pointee.scopes.describe(other.pointee.scope.pointee.origin)?.name ?? Bytes(""))
    subject.add(",")
    throw Refusal(
      .invalid, "",
      "and both would run: end that server first, or mark both handlers with MAINSTEM_HANDLER_SEVERAL",
      .name(subject.bytes))
  }
}

extension Observers {
  /// Counts a handler of what is sent through its server's own scope.
  func countOwnHandler(_ handler: Subscription.Pointer, _ change: Int32) {
    guard handler.pointee.call.isOnlyOwn, case .one(let type) = handler.pointee.filter,
      let observers = find(type)
    else { return }
    let change = UInt32(bitPattern: change)
    observers.pointee.ownHandlers &+= change
    if !handler.pointee.call.isOneOfSeveral { observers.pointee.lonelyOwnHandlers &+= change }
  }
}

extension TypeObservers {
  /// A handler for others that would get requests together with that of a row, unless both say that there are several.
  fileprivate func handler(against row: HandlerRow) -> Subscription.Pointer? {
    // What an instance of a service handles, the service handles. If there are several, all say so.
    var other = handlers.first
    while let handler = other, handler.pointee.scope.pointee.service != 0 {
      other = List<Subscription, Subscription.Alike>.next(after: handler)
    }
    guard let other, !row.isOneOfSeveral || !other.pointee.call.isOneOfSeveral else { return nil }
    return other
  }

  /// Whether own handlers would get requests together with that of a row.
  fileprivate func hasOwnHandlers(against row: HandlerRow) -> Bool {
    !row.isOwn && (row.isOneOfSeveral ? lonelyOwnHandlers : ownHandlers) != 0
  }
}

extension Observers {
  /// The own handler of a type that was registered first. It may not have joined yet, so all subscriptions are visited;
  /// only a refusal needs that.
  fileprivate func firstOwnHandler(
    of type: UInt32, lonely isLonely: Bool
  ) -> Subscription.Pointer? {
    var first: Subscription.Pointer?
    each { handler in
      guard handler.pointee.call.isOnlyOwn, case .one(type) = handler.pointee.filter,
        !Subscription.isCancelled(handler), !isLonely || !handler.pointee.call.isOneOfSeveral,
        handler.pointee.serial < first?.pointee.serial ?? .max
      else { return }
      first = handler
    }
    return first
  }
}

/// What `open` says beside its count.
extension TypeObservers {
  /// In `open`: the program wants to be told when requests begin to be open, and when none is left.
  package static var reported: UInt32 { 1 << 31 }
}

/// Handlers. Under the lock.
extension TypeObservers {
  package var hasHandlers: Bool { !handlers.isEmpty }

  /// Visits the handlers; if a position is given, only those that joined before it.
  func eachHandler(at position: UInt64? = nil, _ visit: (Subscription.Pointer) -> Void) {
    handlers.each { handler in
      if let position, handler.pointee.from >= position { return }
      visit(handler)
    }
  }

  mutating func addHandler(_ handler: Subscription.Pointer) {
    handlers.append(handler)
    if open.load(ordering: .relaxed) & TypeObservers.shared != 0 { Subscription.passOver(handler) }
  }

  /// Prepares for the first shared request of the type: from here on each call of a handler looks at the event.
  package func shareRequests() {
    guard open.load(ordering: .relaxed) & TypeObservers.shared == 0 else { return }
    open.bitwiseOr(TypeObservers.shared, ordering: .relaxed)
    handlers.each { Subscription.passOver($0) }
    origins?.pointee.each { passOver(ownHandler: $0.pointee.subscription) }
  }

  /// Lets a handler that joins, and looks at one origin, look at each event, if requests of the type are shared.
  func passOver(ownHandler row: Subscription.Pointer) {
    guard row.pointee.call.isHandler, open.load(ordering: .relaxed) & TypeObservers.shared != 0
    else { return }
    Subscription.passOver(row)
  }

  /// Removes a handler that was never called.
  mutating func undoHandler(_ handler: Subscription.Pointer) { handlers.remove(handler) }

  /// Removes a handler that is cancelled.
  ///
  /// - Parameter end: How many ends of scopes there were.
  /// - Returns: Whether it was the first: requests that only it was asked are abandoned.
  mutating func removeHandler(_ handler: Subscription.Pointer, at end: UInt32) -> Bool {
    let isFirst = handlers.first == handler
    if isFirst { abandoned = end }
    handlers.remove(handler)
    return isFirst
  }

  /// Of what was asked up to this position, the last of the handlers that were asked has gone: one added later never sees
  /// what was asked before.
  package var lostUpTo: UInt64 { handlers.first?.pointee.from ?? .max }

  /// Whether a server that handles what is sent through a scope has also been asked, at a position.
  package func hasAskedOwn(_ scope: Scope.Pointer?, at position: UInt64) -> Bool {
    guard let scope else { return false }
    return hasOwnHandler(of: scope.pointee.origin) { handler in
      handler.pointee.scope == scope && handler.pointee.from < position
        && !Subscription.isCancelled(handler)
    }
  }
}

/// Bits of `open`.
extension TypeObservers {
  /// Requests of the type have been shared, which its handlers do not get.
  fileprivate static var shared: UInt32 { 1 << 30 }
  /// Something is to be done when a request has reached its observers.
  package static var watched: UInt32 { reported | shared }
}

/// Handlers of what is sent through their server's own scope.
extension TypeObservers {
  /// Whether a handler among the rows gets what is sent through an origin.
  package func handles(_ origin: UInt32) -> Bool {
    handlerRows > 0 || hasOwnHandler(of: origin) { _ in true }
  }

  /// Whether one of an origin's own handlers is as wanted.
  func hasOwnHandler(of origin: UInt32, _ isWanted: (Subscription.Pointer) -> Bool) -> Bool {
    guard let origins else { return false }
    return !origins.pointee.all(of: origin) { !$0.pointee.call.isHandler || !isWanted($0) }
  }
}

extension Subscription {
  /// Lets a handler look at each event before it is called. Under the lock.
  fileprivate static func passOver(_ handler: Pointer) {
    handler.pointee.state.bitwiseOr(conditional, ordering: .relaxed)
  }
}
