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
