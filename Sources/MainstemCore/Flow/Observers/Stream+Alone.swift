// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A request has one handler, unless all of its handlers say that there are several. Under the lock.
extension Stream {
  /// Counts a handler of what is sent through its server's own scope.
  func countOwnHandler(_ handler: Subscription.Pointer, _ change: Int32) {
    guard handler.pointee.call.isOnlyOwn, case .one(let type) = handler.pointee.filter,
      let observers = state.pointee.observers.find(type)
    else { return }
    let change = UInt32(bitPattern: change)
    observers.pointee.ownHandlers &+= change
    if !handler.pointee.call.isOneOfSeveral { observers.pointee.lonelyOwnHandlers &+= change }
  }

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
    if let other = observers.pointee.handler(against: row) {
      try demandNoOther(of: type, than: other)
    }
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

extension TypeObservers {
  /// A handler that would get requests together with that of a row, unless both say that there are several.
  fileprivate func handler(against row: HandlerRow) -> Subscription.Pointer? {
    // What an instance of a service handles, the service handles. If there are several, all say so.
    var other = handlers.first
    while let handler = other, handler.pointee.scope.pointee.service != 0 {
      other = List<Subscription, Subscription.Alike>.next(after: handler)
    }
    if let other, !row.isOneOfSeveral || !other.pointee.call.isOneOfSeveral { return other }
    let own = row.isOneOfSeveral ? lonelyOwnHandlers : ownHandlers
    return row.isOwn || own == 0 ? nil : firstOwnHandler(lonely: row.isOneOfSeveral)
  }

  /// The own handler that was registered first.
  private func firstOwnHandler(lonely isLonely: Bool) -> Subscription.Pointer? {
    var first: Subscription.Pointer?
    origins?.pointee.each { row in
      let handler = row.pointee.subscription
      guard handler.pointee.call.isOnlyOwn, !Subscription.isCancelled(handler),
        !isLonely || !handler.pointee.call.isOneOfSeveral,
        handler.pointee.serial < first?.pointee.serial ?? .max
      else { return }
      first = handler
    }
    return first
  }
}
