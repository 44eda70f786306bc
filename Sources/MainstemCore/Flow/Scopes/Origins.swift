// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The names and rights of a stream's origins, by number. Number 0, the context itself, has no name and all rights.
/// Under the stream's lock.
///
/// An origin whose scope has ended is kept as long as something names it, for example an event that waits. Such uses
/// are not counted; when enough origins have ended, a sweep looks through everything that waits, marks the origins
/// named there, and forgets the rest. Each scope has its own number, so a forgotten one is never mistaken for another.
/// Only after four billion numbers does the count start again, and then it skips the numbers still in use.
package struct Origins {
  struct Entry {
    let number: UInt32
    let name: Name
    var rights: Rights
    var scope = Scope()
    /// The scope that has it, while that lives.
    var live: MainstemCore.Scope.Pointer?
    /// Whether a live scope has it.
    var isLive = false
    /// Whether a scope has it or had it, and whether that only stood in for one.
    var hadScope = false
    var stoodIn = false
    /// Waits for a sweep; was found named by the current sweep; was not named at the sweep before.
    var isEnded = false
    var isMarked = false
    var isUnnamed = false
    /// The values of its scope, while it may have any; whether a source told its end, and has not named it since.
    var values: Value.Pointer?
    var keepsValues = true
    var isEndTold = false
    /// What a drain calls when its scope has ended.
    var watchers = List<DrainTask, DrainTask.OfOrigin>()
    /// How many denials it has had so far.
    var denials: UInt64 = 0
    /// Other entries with the same name, in the order they were made; `previousNamesake` of the first is the last.
    var previousNamesake: Pointer?
    var nextNamesake: Pointer?
    /// The next entry that waits for a sweep.
    var nextEnded: Pointer?

    typealias Pointer = UnsafeMutablePointer<Entry>

    /// Whether nothing names it.
    func isFree(_ others: Schedulers.Callbacks) -> Bool {
      guard !isLive, !isMarked else { return false }
      return switch others {
      case .none: true
      case .began: isUnnamed
      case .go: false
      }
    }
  }

  /// Identifies the scope of an origin, the same in every replay; zeros: no scope.
  package struct Scope {
    package var number: UInt64 = 0
    package var parent: UInt64 = 0

    package init() {}

    package init(number: UInt64, parent: UInt64) {
      self.number = number
      self.parent = parent
    }
  }

  /// An entry has memory of its own: others point to it.
  private struct Numbered: HashTableEntry {
    var entry: Entry.Pointer?

    var isFree: Bool { entry == nil }
    var key: UInt32 { entry?.pointee.number ?? 0 }
    static func hash(_ number: UInt32) -> UInt64 { Hash.counted(number) }
  }

  /// The last origin with the number of a scope.
  private struct Described: HashTableEntry {
    var key: UInt64 = 0
    var entry: Entry.Pointer?

    var isFree: Bool { entry == nil }
    static func hash(_ number: UInt64) -> UInt64 { Hash.salted(number) }
  }

  private var table = HashTable<Numbered>()
  private var described = HashTable<Described>()
  private var lastNumber: UInt32 = 0
  /// The first origin of each name.
  private(set) var numbers = NameTable()
  private var firstEnded: Entry.Pointer?
  /// How many wait for a sweep, and how many it takes to start one.
  private var ended = 0
  private var sweepAt = Origins.leastSweep

  private static var leastSweep: Int { 256 }

  package init() {}

  package subscript(origin: UInt32) -> Bytes? {
    if origin == 0 { return Bytes("") }
    return find(origin)?.pointee.name.bytes
  }

  /// What may be done through a scope; nothing if its origin is forgotten.
  package func rights(of origin: UInt32) -> Rights {
    guard origin > 0 else { return .all }
    return find(origin)?.pointee.rights ?? Rights(send: 0, observe: 0)
  }

  /// Counts a denial.
  ///
  /// - Returns: The number of the denial; 0 if the origin no longer exists.
  package func deny(_ origin: UInt32) -> UInt64 {
    guard let entry = find(origin) else { return 0 }
    entry.pointee.denials &+= 1
    return entry.pointee.denials
  }

  package func scope(of origin: UInt32) -> Scope { find(origin)?.pointee.scope ?? Scope() }

  /// The number for a scope's origin: a new one, or the existing one if no scope has had it yet: that of the scope's
  /// number, or else that of its name.
  package mutating func add(_ name: Bytes, _ rights: Rights, _ scope: Scope) -> UInt32? {
    guard described.reserve() else { return nil }
    var entry =
      free(find(scope: scope.number)) ?? free(find(numbers.find(name)), isNumberless: true)
    if entry == nil { entry = make(name) }
    guard let entry else { return nil }
    entry.pointee.rights = rights
    describe(entry, scope)
    entry.pointee.isLive = true
    entry.pointee.hadScope = true
    entry.pointee.keepsValues = true
    return entry.pointee.number
  }

  /// The origin for events that were sent elsewhere, made if there is none: that of a scope's number; without a number,
  /// the first of a name. Ended with `end`, like that of a scope.
  package mutating func number(of name: Bytes, _ scope: Scope, isShown: Bool) -> UInt32? {
    guard scope.number != 0 else {
      guard let known = find(numbers.find(name)) else { return make(name)?.pointee.number }
      return Origins.name(known, isShown: isShown)
    }
    if let known = find(scope: scope.number), known.pointee.name.bytes == name {
      return Origins.name(known, isShown: isShown)
    }
    guard described.reserve(), let entry = make(name) else { return nil }
    describe(entry, scope)
    return entry.pointee.number
  }

  private mutating func describe(_ entry: Entry.Pointer, _ scope: Scope) {
    entry.pointee.scope = scope
    guard scope.number != 0 else { return }
    described.remove(scope.number)
    described.insert(Described(key: scope.number, entry: entry))
  }

  /// The scope of an origin has another number from here on.
  mutating func renumber(_ origin: UInt32, _ scope: Scope) {
    guard let entry = find(origin) else { return }
    described.remove(entry.pointee.scope.number)
    describe(entry, scope)
  }

  func find(scope number: UInt64) -> Entry.Pointer? { described.find(number)?.pointee.entry }

  /// An origin, if no scope has had it yet.
  private func free(_ entry: Entry.Pointer?, isNumberless: Bool = false) -> Entry.Pointer? {
    guard let entry, !entry.pointee.hadScope else { return nil }
    return isNumberless && entry.pointee.scope.number != 0 ? nil : entry
  }

  /// Takes back the origin that was added last.
  package mutating func takeBack(_ origin: UInt32) {
    guard let entry = find(origin) else { return }
    entry.pointee.isLive = false
    end(origin)
  }

  /// Ends the origin of a scope that has ended.
  package mutating func endScope(_ origin: UInt32) {
    find(origin)?.pointee.isLive = false
    end(origin)
  }

  /// Ends an origin: whoever had it names it no longer.
  package mutating func end(_ origin: UInt32) {
    guard let entry = find(origin), !entry.pointee.isLive, !entry.pointee.isEnded else { return }
    entry.pointee.isEnded = true
    entry.pointee.nextEnded = firstEnded
    firstEnded = entry
    ended &+= 1
  }

  package mutating func free() {
    table.each { Self.free($0.entry) }
    numbers.free()
    described.free()
    table.free()
    self = Origins()
  }

  func find(_ origin: UInt32) -> Entry.Pointer? { table.find(origin)?.pointee.entry }
}

/// Sweeping.
extension Origins {
  /// Whether enough origins have ended to look through everything that waits.
  package var wantsSweep: Bool { ended >= sweepAt }

  /// Notes that something names an origin.
  package func mark(_ origin: UInt32) {
    guard origin != 0, let entry = find(origin), entry.pointee.isEnded else { return }
    entry.pointee.isMarked = true
  }

  /// Forgets the origins that have ended and were not marked, unless a callback on another thread may name them.
  ///
  /// - Parameters:
  ///   - others: What is known about callbacks on other threads, which may name origins that the sweep cannot find.
  ///   - cost: How many things were looked at for the sweep; the more, the later the next sweep.
  ///   - tell: Gets each number that is forgotten.
  package mutating func sweep(
    _ others: Schedulers.Callbacks, after cost: Int, _ tell: (UInt32) -> Void
  ) {
    var next = firstEnded
    firstEnded = nil
    ended = 0
    while let entry = next {
      next = entry.pointee.nextEnded
      entry.pointee.isEnded = false
      let isFree = entry.pointee.isFree(others)
      entry.pointee.isUnnamed = !entry.pointee.isMarked
      entry.pointee.isMarked = false
      if isFree {
        tell(entry.pointee.number)
        forget(entry)
      } else {
        end(entry.pointee.number)  // Unless a scope has taken the name meanwhile.
      }
    }
    postpone(after: cost)
  }

  /// Delays the next sweep until enough have ended that its cost is small for each.
  package mutating func postpone(after cost: Int) {
    sweepAt = ended &+ max(Origins.leastSweep, (ended &+ cost) / 4)
  }

  private mutating func forget(_ entry: Entry.Pointer) {
    unlinkNamesake(entry)
    if find(scope: entry.pointee.scope.number) == entry {
      described.remove(entry.pointee.scope.number)
    }
    table.remove(entry.pointee.number)
    Self.free(entry)
  }

  private static func free(_ entry: Entry.Pointer?) {
    entry?.pointee.name.free()
    Memory.free(entry)
  }
}

/// Names.
extension Origins {
  private mutating func make(_ name: Bytes) -> Entry.Pointer? {
    guard table.reserve(), numbers.reserve(), let copy = Name(copying: name) else { return nil }
    guard let entry = Memory.allocate(Entry.self) else {
      copy.free()
      return nil
    }
    repeat { lastNumber &+= 1 } while lastNumber == 0 || find(lastNumber) != nil
    entry.initialize(to: Entry(number: lastNumber, name: copy, rights: .all))
    table.insert(Numbered(entry: entry))
    linkNamesake(entry)
    return entry
  }

  private mutating func linkNamesake(_ entry: Entry.Pointer) {
    guard let first = find(numbers.find(entry.pointee.name.bytes)) else {
      entry.pointee.previousNamesake = entry
      return numbers.insert(entry.pointee.name.bytes, entry.pointee.number)
    }
    entry.pointee.previousNamesake = first.pointee.previousNamesake
    first.pointee.previousNamesake?.pointee.nextNamesake = entry
    first.pointee.previousNamesake = entry
  }

  private mutating func unlinkNamesake(_ entry: Entry.Pointer) {
    let (previous, next) = (entry.pointee.previousNamesake, entry.pointee.nextNamesake)
    guard let first = find(numbers.find(entry.pointee.name.bytes)) else { return }
    guard first == entry else {
      previous?.pointee.nextNamesake = next
      (next ?? first).pointee.previousNamesake = previous
      return
    }
    // The table borrows the bytes of the first entry's name.
    numbers.remove(entry.pointee.name.bytes)
    guard let next else { return }
    next.pointee.previousNamesake = previous
    numbers.insert(next.pointee.name.bytes, next.pointee.number)
  }
}

/// Values.
extension Origins {
  /// Whether a scope that has not ended has an origin.
  func isLive(_ origin: UInt32) -> Bool { find(origin)?.pointee.isLive == true }

  package func hasValues(_ origin: UInt32) -> Bool { find(origin)?.pointee.values != nil }

  /// Whether values of an origin are kept: its scope has not ended, nor has the source that named it.
  ///
  /// - Parameter isFed: Whether the source still feeds. Afterwards a scope that lives has values, even if the source
  ///   told its end.
  func keepsValues(_ origin: UInt32, isFed: Bool) -> Bool {
    guard origin != 0 else { return true }
    guard let entry = find(origin) else { return false }
    return entry.pointee.keepsValues || !isFed && entry.pointee.live != nil
  }

  /// The number of an origin for one more event of a source, whose values are kept unless a scope has ended here that
  /// had it. If the source has told the end of a scope and names it again, it has another one of the same number.
  ///
  /// - Parameter isShown: Whether scopes stand in for those of the source. What had the number before, or stood in for
  ///   it, has ended: nothing has stood in for this one.
  static func name(_ entry: Entry.Pointer, isShown: Bool) -> UInt32 {
    if isShown, !entry.pointee.isLive, entry.pointee.isEndTold || entry.pointee.stoodIn {
      (entry.pointee.hadScope, entry.pointee.stoodIn) = (false, false)
    }
    if !entry.pointee.hadScope || entry.pointee.isEndTold { entry.pointee.keepsValues = true }
    entry.pointee.isEndTold = false
    return entry.pointee.number
  }

  /// Notes that the source has told the end of a scope.
  func noteEndTold(of origin: UInt32) { find(origin)?.pointee.isEndTold = true }

  /// Adds a value to those that end with the scope. Those of the context itself end with it.
  func add(_ value: Value.Pointer, to origin: UInt32) {
    guard let entry = find(origin) else { return }
    value.pointee.next = entry.pointee.values
    entry.pointee.values = value
  }

  func eachValue(of origin: UInt32, _ visit: (Value.Pointer) -> Void) {
    var next = find(origin)?.pointee.values
    while let value = next {
      next = value.pointee.next
      visit(value)
    }
  }

  /// Takes the values of an origin, which has no more from now on.
  func takeValues(of origin: UInt32) -> Value.Pointer? {
    guard let entry = find(origin) else { return nil }
    entry.pointee.keepsValues = false
    let first = entry.pointee.values
    entry.pointee.values = nil
    return first
  }
}

/// Origins whose scopes have ended: they are forgotten when nothing names them any longer.
extension Stream {
  /// Removes a subscription from its scope; one that has ended is freed with its last subscription. Under the lock.
  @inline(__always)
  package func leaveScope(_ subscription: Subscription.Pointer) {
    let scope = subscription.pointee.scope
    Scope.remove(subscription)
    freeIfLeft(scope)
  }

  /// Frees a scope if it has ended and has no subscription left. Under the lock.
  @inline(__always)
  func freeIfLeft(_ scope: Scope.Pointer) {
    if scope.pointee.hasEnded, scope.pointee.subscriptions == 0 { free(scope) }
  }

  private func free(_ scope: Scope.Pointer) {
    state.pointee.scopes.origins.endScope(scope.pointee.origin)
    state.pointee.scopes.numbers.forgetDrawers(scope.pointee.drawers)
    Scope.free(scope)
    askForSweep()
  }

  /// The number of an origin that the source names; nil without memory. Under the lock.
  package func addFedOrigin(_ name: Bytes, scope number: UInt64, below parent: UInt64) -> UInt32? {
    state.pointee.scopes.origins.number(
      of: name, Origins.Scope(number: number, parent: parent), isShown: isIn(.fedAll))
  }

  /// Ends an origin that no further event of the source will have. Under the lock.
  package func endFedOrigin(_ origin: UInt32) {
    if !state.pointee.scopes.origins.isLive(origin) { endValues(of: origin) }
    state.pointee.scopes.origins.end(origin)
    askForSweep()
  }

  private func askForSweep() {
    guard state.pointee.scopes.origins.wantsSweep else { return }
    ask(for: Attention.origins)
  }

  /// Forgets the origins that nothing names any longer, if enough of them have ended. For the deliverer, between two
  /// events.
  @inline(__always)
  package func sweepOriginsIfAsked() {
    if isAsked(for: Attention.origins) { sweepOrigins() }
  }

  @inline(never)
  private func sweepOrigins() {
    let tells = locked { () -> Bool in
      endAsking(for: Attention.origins)
      var tells = false
      guard let posts = markOriginsOfPosts(&tells) else {
        state.pointee.scopes.origins.postpone(after: 0)
        return tells
      }
      let cost = posts &+ markOrigins()
      let others = lookAtSchedulers()
      state.pointee.scopes.origins.sweep(others, after: cost) { forgetOriginAbove($0) }
      return tells
    }
    if tells { signal() }
  }

  /// Marks the origins named by anything that waits or is kept. Under the lock.
  ///
  /// - Returns: How many things were looked at.
  private func markOrigins() -> Int {
    markOriginsOfQueued() &+ markRetained() &+ markOriginsOfKept() &+ markScheduledOrigins()
      &+ markOriginsAbove()
  }

  /// Notes that something names an origin. Under the lock.
  package func markOrigin(_ origin: UInt32) { state.pointee.scopes.origins.mark(origin) }

  private func markRetained() -> Int {
    state.pointee.scopes.retained.each { queued in
      markOrigin(UInt32(truncatingIfNeeded: queued.pointee.event.through))
      markOrigin(of: queued)
    }
  }
}
