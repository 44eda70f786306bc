// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The numbers of scopes, the same whenever a session is replayed. Each derives from the parent's number, the scope's
/// name, the position of the event in whose callback it was made (0 outside), and how many scopes of that name were
/// made below that parent at that event. Under the stream's lock.
///
/// What a replay does not call again is counted apart: callbacks on schedulers, which may run beside the delivery, and
/// completions of requests from outside.
///
/// A count is kept as long as one of its scopes lives, and as long as its event is the last at which a scope was made.
/// So no two live scopes have the same number, and there are never more counts than scopes.
package struct ScopeNumbers {
  /// How many scopes were made with one key.
  private struct Tally: HashTableEntry {
    var key: UInt64 = 0
    var position: UInt64 = 0
    /// How many scopes were made, and how many of them live.
    var count: UInt32 = 0
    var live: UInt32 = 0
    /// Whether it is in the list to look at with the next event, and the key of the next in the list; of a group of
    /// subscriptions that draw, the next in the list of its scope.
    var isListed = false
    var next: UInt64 = 0

    var isFree: Bool { key == 0 }
    static func hash(_ key: UInt64) -> UInt64 { Hash.salted(key) }
  }

  private var tallies = HashTable<Tally>()
  /// Whether numbers have 64 bits, as in the sessions of 0.10 and before. Others have 53, which a double holds.
  private(set) var areWide = false
  /// What was counted last, by callbacks that a replay calls again and by others.
  private var repeated = Newest()
  private var unrepeated = Newest()

  /// The last event at which a scope was made, and the list of what was counted there.
  private struct Newest {
    var position: UInt64 = 0
    var listed: UInt64 = 0
  }

  package init() {}

  /// A number, the key that reports its end, and how many had that key before.
  package struct Drawn {
    package let number: UInt64
    package let key: UInt64
    var which: UInt32 = 0
  }

  /// Added to the position of an event whose callback no replay calls again.
  package static var unrepeated: UInt64 { 1 << 63 }

  /// The number of one more scope; nil without memory.
  package mutating func draw(_ name: Bytes, below parent: UInt64, at position: UInt64) -> Drawn? {
    if position != 0, position != self[position].position { forget(upTo: position) }
    let key = Self.number(name, parent, position, 0)
    guard let which = count(key, at: position) else { return nil }
    let number = fit(Self.number(name, parent, position, UInt64(which)))
    return Drawn(number: number, key: key, which: which)
  }

  /// The number in as many bits as numbers have. Never 0.
  private func fit(_ number: UInt64) -> UInt64 {
    areWide ? number : max(number & (1 << 53 &- 1), 1)
  }

  /// Numbers have 64 bits from here on.
  mutating func widen() { areWide = true }

  /// The wide number of a scope that was made outside callbacks: see `Scopes.widenNumbers`.
  mutating func widen(_ drawn: Drawn, _ name: Bytes, below parent: UInt64) -> Drawn {
    let key = Self.number(name, parent, 0, 0)
    if key != drawn.key, tallies.find(key) == nil, var tally = tallies.find(drawn.key)?.pointee {
      tallies.remove(drawn.key)
      tally.key = key
      tallies.insert(tally)
    }
    let number = Self.number(name, parent, 0, UInt64(drawn.which))
    return Drawn(number: number, key: key, which: drawn.which)
  }

  /// The identity of a scope made outside callbacks: derived from its name and from how many of that name were made
  /// anywhere. The identity of any other scope is its number.
  package mutating func drawIdentity(_ name: Bytes) -> Drawn? {
    let key = Self.number(name, .max, 0, 0)
    guard let which = count(key, at: 0) else { return nil }
    return Drawn(number: SeededRandom.number(ofName: name, UInt64(which)), key: key)
  }

  /// Counts one more with a key.
  ///
  /// - Returns: How many there were before; nil without memory.
  private mutating func count(_ key: UInt64, at position: UInt64) -> UInt32? {
    guard tallies.reserve() else { return nil }
    if tallies.find(key) == nil { tallies.insert(Tally(key: key, position: position)) }
    guard let tally = tallies.find(key) else { return nil }
    let which = tally.pointee.count
    tally.pointee.count &+= 1
    tally.pointee.live &+= 1
    return which
  }

  /// Notes that a scope with a key has ended.
  package mutating func end(_ key: UInt64) {
    guard let tally = tallies.find(key) else { return }
    tally.pointee.live &-= 1
    guard tally.pointee.live == 0, !tally.pointee.isListed else { return }
    let position = tally.pointee.position
    guard position != 0, position == self[position].position else { return tallies.remove(key) }
    tally.pointee.isListed = true
    tally.pointee.next = self[position].listed
    self[position].listed = key
  }

  /// Takes back the number drawn last with a key.
  package mutating func takeBack(_ key: UInt64) {
    guard let tally = tallies.find(key) else { return }
    tally.pointee.count &-= 1
    end(key)
  }

  /// Counts one more subscription of a group that draws numbers. A group is known as long as its scope has memory.
  ///
  /// - Parameter first: The first group of the scope.
  /// - Returns: How many there were before; nil without memory.
  mutating func countDrawer(_ group: UInt64, in first: inout UInt64) -> UInt64? {
    let key = max(group, 1)
    guard tallies.reserve() else { return nil }
    if tallies.find(key) == nil {
      tallies.insert(Tally(key: key, next: first))
      first = key
    }
    guard let tally = tallies.find(key) else { return nil }
    defer { tally.pointee.count &+= 1 }
    return UInt64(tally.pointee.count)
  }

  /// Forgets the groups of a scope.
  mutating func forgetDrawers(_ first: UInt64) {
    var key = first
    while key != 0, let tally = tallies.find(key) {
      let next = tally.pointee.next
      tallies.remove(key)
      key = next
    }
  }

  package mutating func free() {
    tallies.free()
    self = ScopeNumbers()
  }

  /// Never 0.
  private static func number(
    _ name: Bytes, _ parent: UInt64, _ position: UInt64, _ which: UInt64
  ) -> UInt64 {
    max(SeededRandom.number(SeededRandom.number(ofName: name, which), parent, position, 0), 1)
  }

  /// Forgets what was counted at the last event, unless one of those scopes lives.
  private mutating func forget(upTo position: UInt64) {
    var listed = self[position].listed
    self[position] = Newest(position: position)
    while listed != 0, let tally = tallies.find(listed) {
      let key = listed
      listed = tally.pointee.next
      tally.pointee.isListed = false
      if tally.pointee.live == 0 { tallies.remove(key) }
    }
  }

  /// What was counted last by the kind of callback that a position is of.
  private subscript(position: UInt64) -> Newest {
    get { position & Self.unrepeated == 0 ? repeated : unrepeated }
    set {
      if position & Self.unrepeated == 0 { repeated = newValue } else { unrepeated = newValue }
    }
  }
}

/// The live scopes that origins lead to. Under the stream's lock.
extension Origins {
  /// The live scope with a number.
  subscript(live number: UInt64) -> MainstemCore.Scope.Pointer? {
    find(scope: number)?.pointee.live
  }

  /// Notes the scope that has an origin; nil: it has ended.
  func setLive(_ scope: MainstemCore.Scope.Pointer?, for origin: UInt32) {
    find(origin)?.pointee.live = scope
  }

  /// The scope of the first origin that has the same name as one that never had a scope; zeros: there is none.
  func firstNamesake(of origin: UInt32) -> Scope {
    guard let entry = find(origin), !entry.pointee.hadScope else { return Scope() }
    return scope(of: numbers.find(entry.pointee.name.bytes))
  }
}

/// Scopes that are found again.
extension Scopes {
  /// The live scope of an origin. For an origin that a source named: the scope that has its number; else one that has
  /// its name and was made outside callbacks, as a program of other shape may have placed it elsewhere. Nil: there is
  /// none. Under the lock.
  package func scope(of origin: UInt32) -> Scope.Pointer? {
    guard origin != 0 else { return root }
    let number = origins.scope(of: origin).number
    if let scope = origins[live: number],
      scope.pointee.origin == origin || hasSameName(scope, origin)
    {
      return scope
    }
    let namesake = origins.firstNamesake(of: origin)
    guard namesake.number != 0, let scope = origins[live: namesake.number],
      scope.pointee.isOfProgram, hasSameName(scope, origin)
    else { return nil }
    return scope
  }

  /// A journal may say of any number that it is any scope's.
  private func hasSameName(_ scope: Scope.Pointer, _ origin: UInt32) -> Bool {
    guard let name = origins[origin] else { return false }
    return origins[scope.pointee.origin] == name
  }
}

extension ResolvedHandle {
  /// The number of the scope that the handle names.
  package func readScopeNumber() throws(Refusal) -> UInt64 {
    try reading { () throws(Refusal) in
      guard let scope else { throw .ended }
      return scope.pointee.number
    }
  }

  /// Finds the live scope with a number, unless more may be done through it than through this one.
  ///
  /// - Returns: Its handle, and its name; nil: there is none.
  package func findScope(_ number: UInt64) throws(Refusal) -> (handle: Handle, name: Bytes)? {
    try reading { () throws(Refusal) in
      guard let scope else { throw .ended }
      var found =
        number == 0
        ? stream.state.pointee.scopes.root : stream.state.pointee.scopes.origins[live: number]
      if found == nil { found = try stream.standIn(for: number) }
      let scopes = stream.state.pointee.scopes.origins
      guard let found, let name = scopes[found.pointee.origin],
        scopes.rights(of: found.pointee.origin).areWithin(scopes.rights(of: scope.pointee.origin)),
        Budget.counts(found.pointee.budget, in: scope.pointee.budget)
      else { return nil }
      return (found.pointee.handle, name)
    }
  }
}

/// Scopes of a session that is shown again: what was behind them is not there, but views find them by their numbers.
extension Stream {
  /// The scope that stands in for one of a session in a muted replay, made when it is first looked for. It ends where
  /// the session's ended. Nil: the journal has none of this number, or it has ended. Under the lock.
  func standIn(for number: UInt64) throws(Refusal) -> Scope.Pointer? {
    guard isIn(.fedAll), let root = state.pointee.scopes.root,
      let entry = state.pointee.scopes.origins.find(scope: number),
      !entry.pointee.hadScope, !entry.pointee.isEndTold
    else { return nil }
    guard let scope = Memory.allocate(Scope.self) else { throw .noMemory }
    let origin = entry.pointee.number
    guard
      let (slot, handle) = state.pointee.slots.make(
        .context, stream: address, object: scope, origin: origin)
    else {
      Memory.free(scope)
      throw Refusal.lacking(.handles)
    }
    let drawn = ScopeNumbers.Drawn(number: number, key: 0)
    scope.initialize(
      to: Scope(
        slot: slot, handle: handle, origin: origin, parent: root, number: drawn, identity: drawn))
    scope.pointee.isStandIn = true
    state.pointee.scopes.origins.standIn(entry)
    state.pointee.scopes.add(scope, below: root)
    return scope
  }

  /// Ends the scope that stands in for one that has ended in the session. For the deliverer; no lock held.
  func endStandIn(of origin: UInt32) {
    var ends = EndsToTell()
    locked {
      guard let scope = state.pointee.scopes.origins.find(origin)?.pointee.live,
        scope.pointee.isStandIn
      else { return }
      endTree(scope, &ends)
    }
    if ends.tellsHost { signal() }
  }
}

extension Origins {
  /// Notes that a scope of a session has a scope here.
  fileprivate func standIn(_ entry: Entry.Pointer) {
    entry.pointee.rights = .all
    entry.pointee.isLive = true
    entry.pointee.hadScope = true
    entry.pointee.stoodIn = true
  }
}
