// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The room of values: the last event of each scope, of the types whose role is *value*. They are found by type and
/// scope, or come in the order of their positions.
///
/// Under the stream's lock. In a context of one thread its owner needs none: nobody else looks. Only the deliverer
/// changes what is kept, and frees. In memory of its own, for the reason given at `StreamState`.
package struct Values: ~Copyable {
  private var table = HashTable<Place>()
  private var listed = List<Value, Value.InStream>()
  /// Ended; the deliverer frees them between two events, because an observer may look at one.
  private var ended: Value.Pointer?
  private var walk = Walk()
  /// Of a replay.
  var fed = FedLists()
  /// How many are set, and how many were lost for lack of memory.
  private var kept: UInt64 = 0
  private var lost: UInt64 = 0
  /// Whether any type is one of values. Any thread.
  private let hasTypes = Atomic<Bool>(false)

  package init() {}

  private struct Place: HashTableEntry {
    var key: UInt64 = 0
    var value: Value.Pointer?

    var isFree: Bool { value == nil }
    static func hash(_ key: UInt64) -> UInt64 { key &* 0x9E37_79B9_7F4A_7C15 }
  }

  /// Where the delivery of late values goes on, in the list of a type or of the stream.
  private struct Walk {
    var next: Value.Pointer?
    var isInType = false
  }

  @inline(__always)
  private static func key(_ type: UInt32, _ origin: UInt32) -> UInt64 {
    UInt64(type) << 32 | UInt64(origin)
  }
}

/// The values of one type. In memory of its own, like `Values`.
package struct TypeValues {
  fileprivate(set) var listed = List<Value, Value.InType>()
  /// The first row of the type, which keeps each event.
  let keeper: Subscription.Pointer

  typealias Pointer = UnsafeMutablePointer<TypeValues>

  /// Nil without memory.
  ///
  /// - Parameter keep: The row's function. It gets the values of the type.
  static func make(_ keep: mainstem_event_fn, _ root: Scope.Pointer) -> Pointer? {
    guard let row = Memory.allocate(Subscription.self) else { return nil }
    guard let values = Memory.allocate(TypeValues.self) else {
      Memory.free(row)
      return nil
    }
    row.initialize(to: .unlisted(Subscription.Options(keep, values, nil, .nothing), root))
    values.initialize(to: TypeValues(keeper: row))
    return values
  }

  static func free(_ values: Pointer?) {
    guard let values else { return }
    Memory.free(values.pointee.keeper)
    Memory.free(values)
  }
}

/// Types.
extension Values {
  @inline(__always)
  var areUsed: Bool { hasTypes.load(ordering: .relaxed) }

  func noteType() { hasTypes.store(true, ordering: .relaxed) }
}

/// Finding and making.
extension Values {
  var isEmpty: Bool { kept == 0 }

  @_optimize(speed)
  @inline(never)
  func find(_ type: UInt32, _ origin: UInt32) -> Value.Pointer? {
    table.find(Values.key(type, origin))?.pointee.value
  }

  /// Like `find`; nil also if it takes more than one look.
  @inline(__always)
  func findAtOnce(_ type: UInt32, _ origin: UInt32) -> Value.Pointer? {
    // No type has number 0, so no free place has this key.
    table.findAtHome(Values.key(type, origin))?.pointee.value.unsafelyUnwrapped
  }

  /// Whether a scope has a list that is known.
  func hasList(_ type: UInt32, _ origin: UInt32) -> Bool {
    find(type, origin)?.pointee.newest != nil
  }

  /// Visits all that have a list, in no order.
  func eachList(_ visit: (Value.Pointer) -> Void) {
    table.each { place in
      if let value = place.value, value.pointee.newest != nil { visit(value) }
    }
  }

  /// Whether one that is set satisfies a condition.
  func contain(_ isWanted: (Value.Pointer) -> Bool) -> Bool { !listed.all { !isWanted($0) } }

  /// A value that is unset, and not in the chain of its scope; nil without memory.
  mutating func make(_ type: UInt32, _ origin: UInt32) -> Value.Pointer? {
    guard table.reserve(), let value = Value.make(type, origin) else { return nil }
    table.insert(Place(key: Values.key(type, origin), value: value))
    return value
  }
}

/// Keeping. For the deliverer.
extension Values {
  /// Puts a value that was set behind all others, where its position belongs.
  @inline(__always)
  mutating func putLast(_ value: Value.Pointer, _ observers: TypeObservers.Pointer) {
    guard
      List<Value, Value.InStream>.next(after: value) != nil
        || List<Value, Value.InType>.next(after: value) != nil
    else { return }
    move(value, observers)
  }

  @inline(never)
  private mutating func move(_ value: Value.Pointer, _ observers: TypeObservers.Pointer) {
    guard let others = observers.pointee.values else { return }
    takeOut(value, others)
    putLast(value, others)
  }

  /// Puts a value behind all others that was not set.
  mutating func putLast(_ value: Value.Pointer, _ others: TypeValues.Pointer) {
    listed.append(value)
    others.pointee.listed.append(value)
    kept &+= 1
  }

  /// Takes out a value that was set.
  mutating func takeOut(_ value: Value.Pointer, _ others: TypeValues.Pointer) {
    if walk.next == value { walk.next = next(after: value) }
    listed.remove(value)
    others.pointee.listed.remove(value)
    kept &-= 1
  }

  mutating func countLost() { lost &+= 1 }

  func readStats(into stats: UnsafeMutablePointer<mainstem_context_stats>) {
    stats.pointee.history &+= kept
    stats.pointee.history_lost &+= lost
  }
}

/// Late values, in the order of their positions. One walk at a time: for the deliverer, under the lock.
extension Values {
  /// Begins a walk over the values of a type, or of all types.
  mutating func beginWalk(over type: TypeValues.Pointer?) {
    walk.isInType = type != nil
    walk.next = type != nil ? type?.pointee.listed.first : listed.first
  }

  /// The first behind a position that is wanted. Those before it are not looked at again.
  mutating func next(
    after position: UInt64, where isWanted: (Value.Pointer) -> Bool
  ) -> Value.Pointer? {
    while let value = walk.next, value.pointee.position <= position || !isWanted(value) {
      walk.next = next(after: value)
    }
    return walk.next
  }

  mutating func endWalk() { walk = Walk() }

  private func next(after value: Value.Pointer) -> Value.Pointer? {
    walk.isInType
      ? List<Value, Value.InType>.next(after: value)
      : List<Value, Value.InStream>.next(after: value)
  }
}

/// Ending.
extension Values {
  /// Ends a value that is in no list; it is freed later.
  mutating func end(_ value: Value.Pointer) {
    table.remove(Values.key(value.pointee.type, value.pointee.origin))
    value.pointee.end()
    value.pointee.next = ended
    ended = value
  }

  /// Takes those that have ended, to free them.
  mutating func takeEnded() -> Value.Pointer? {
    let first = ended
    ended = nil
    return first
  }

  static func freeAll(_ first: Value.Pointer?) {
    var next = first
    while let value = next {
      next = value.pointee.next
      Value.free(value)
    }
  }

  /// Frees everything, for another context.
  mutating func clear() {
    table.each { place in
      if let value = place.value { Value.free(value) }
    }
    table.free()
    Values.freeAll(takeEnded())
    fed.free()
    listed = List()
    endWalk()
    (kept, lost) = (0, 0)
    hasTypes.store(false, ordering: .relaxed)
  }
}

/// Keeping values: by the first row of their type, so that observers who ask find what they were called with.
extension Stream {
  @inline(__always)
  var values: UnsafeMutablePointer<Values> { state.pointee.values }

  /// Runs a step under the lock, if it is needed: see `Values`.
  @inline(__always)
  func withValues<Result>(_ step: () -> Result) -> Result {
    guard !isOwned else { return step() }
    state.pointee.lock.acquire()
    defer { state.pointee.lock.release() }
    return step()
  }

  /// Makes the first row of a type whose role is value. Under the lock; false without memory.
  func reserveKeeper(_ observers: TypeObservers.Pointer) -> Bool {
    guard let root = state.pointee.scopes.root,
      let kept = TypeValues.make({ Stream.keepValue($0, $1) }, root)
    else { return false }
    guard observers.pointee.reserve() else {
      TypeValues.free(kept)
      return false
    }
    observers.pointee.keepValues(kept)
    values.pointee.noteType()
    return true
  }

  /// The row's function.
  private static func keepValue(
    _ others: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
  ) {
    guard let others = others?.assumingMemoryBound(to: TypeValues.self), let event,
      let stream = Frame.innermost?.pointee.stream
    else { return }
    // Not a delivery: no observer was called.
    stream.state.pointee.delivery.add(calls: ~0)
    stream.withValues { stream.keep(event, others) }
  }

  @_optimize(speed)
  private func keep(_ event: UnsafePointer<mainstem_event>, _ others: TypeValues.Pointer) {
    // Of what a journal did not keep, the mark: what was there before is there no longer. Only a forged one has others.
    guard event.pointee.status == 0 || Value.isMarked(event.pointee.flags),
      let value = findOrMakeValue(event.pointee.type, event.pointee.origin)
    else { return }
    value.pointee.arrive(event.pointee.position)
    let wasSet = value.pointee.isSet
    // The event that a timer lends is overwritten the next time.
    let queued = deliverer.pointee.current
    if value.pointee.keep(event, of: queued?.pointee.lender == nil ? queued : nil) {
      if wasSet { values.pointee.takeOut(value, others) }
      values.pointee.putLast(value, others)
    } else {
      if wasSet { values.pointee.takeOut(value, others) }
      values.pointee.countLost()
    }
  }

  /// A value, made if its scope lives and there is none; nil also without memory.
  private func findOrMakeValue(_ type: UInt32, _ origin: UInt32) -> Value.Pointer? {
    if let known = values.pointee.find(type, origin) { return known }
    guard state.pointee.scopes.origins.keepsValues(origin, isFed: isFed) else { return nil }
    guard let value = makeValue(type, origin) else {
      values.pointee.countLost()
      return nil
    }
    return value
  }
}

/// What is on its way. Under the lock.
extension Stream {
  /// Makes the value that an event will change, before it is accepted. Throws OK if the event is a set of what is there.
  @_optimize(speed)
  @inline(never)
  func prepareValue(_ draft: Draft) throws(Refusal) {
    guard isValue(draft.type) else { return }
    if draft.isSet {
      if draft.step != nil {
        try demandNews(of: draft)
      } else if isThere(draft) {
        throw .isThere
      }
    }
    guard values.pointee.find(draft.type, draft.origin) == nil,
      state.pointee.scopes.origins.keepsValues(draft.origin, isFed: isFed)
    else { return }
    guard makeValue(draft.type, draft.origin) != nil else { throw .noMemory }
  }

  /// Refuses a list if another version came after it was compared: one with the same rows, or whose ends are not those
  /// that it keeps.
  @inline(never)
  private func demandNews(of draft: Draft) throws(Refusal) {
    guard let step = draft.step else { return }
    let version = values.pointee.find(draft.type, draft.origin)?.pointee.version(
      isOutput: sendsOutput)
    guard (version?.pointee.number ?? 0) != step.pointee.comparedWith else { return }
    if let version, ListVersion.areSame(version, step.pointee.version) { throw .isThere }
    if step.pointee.keepsEnds { throw .staleEnds }
  }

  /// Notes an event that has its position and waits for its delivery.
  @inline(__always)
  func expectValue(_ queued: QueuedEvent.Pointer) {
    if values.pointee.areUsed { expect(queued) }
  }

  @inline(never)
  private func expect(_ queued: QueuedEvent.Pointer) {
    let (type, origin) = (queued.pointee.event.type, queued.pointee.event.origin)
    if isValue(type) { findOrMakeValue(type, origin)?.pointee.expect(queued) }
  }

  /// Forgets an event that nobody may see. No lock held.
  func forgetValue(_ event: UnsafePointer<mainstem_event>) {
    withValues {
      values.pointee.find(event.pointee.type, event.pointee.origin)?.pointee.arrive(
        event.pointee.position)
    }
  }

  package func isValue(_ type: UInt32) -> Bool { contract(of: type).isValue }
}

/// Ending.
extension Stream {
  /// Notes that the end of a scope is told. Under the lock.
  func noteEnding(of origin: UInt32) {
    state.pointee.scopes.origins.eachValue(of: origin) { $0.pointee.noteEnding() }
  }

  /// Ends the values of a scope, or of an origin that the source named. Under the lock.
  func endValues(of origin: UInt32) {
    var next = state.pointee.scopes.origins.takeValues(of: origin)
    guard next != nil else { return }
    while let value = next {
      next = value.pointee.next
      if value.pointee.isSet, let others = state.pointee.observers.find(value.pointee.type) {
        others.pointee.values.map { values.pointee.takeOut(value, $0) }
      }
      values.pointee.end(value)
    }
    ask(for: Attention.values)
  }

  /// Frees the values that have ended. For the deliverer, between two events.
  @inline(__always)
  func freeEndedValues() {
    if isAsked(for: Attention.values) { freeAllEndedValues() }
  }

  @inline(never)
  private func freeAllEndedValues() {
    let ended = locked { () -> Value.Pointer? in
      endAsking(for: Attention.values)
      return values.pointee.takeEnded()
    }
    Values.freeAll(ended)
  }
}

/// The values that come first to an observer that joins. Under the lock.
extension Stream {
  /// Whether there are any.
  func hasValues(for subscription: Subscription.Pointer) -> Bool {
    guard !values.pointee.isEmpty else { return false }
    // A show function, or what keeps a binding: to ask all values for it would make each new one dearer than the last.
    if case .nothing = subscription.pointee.filter { return false }
    guard case .one(let type) = subscription.pointee.filter else {
      return values.pointee.contain { value in
        covers(subscription.pointee.filter, value.pointee.type)
          && subscription.pointee.looks(at: value.pointee.origin)
      }
    }
    guard subscription.pointee.call.isOfOneOrigin else {
      return oneType(of: subscription)?.pointee.listed.isEmpty == false
    }
    return values.pointee.find(type, subscription.pointee.origin)?.pointee.isSet == true
  }

  /// Begins to look at what is kept. For the deliverer, who ends it with `endLateValues`.
  func beginLateValues(for subscription: Subscription.Pointer) {
    locked { values.pointee.beginWalk(over: oneType(of: subscription)) }
  }

  func endLateValues() { locked { values.pointee.endWalk() } }

  /// The first value behind a position that an observer looks at.
  func nextLateValue(
    of subscription: Subscription.Pointer, after position: UInt64
  ) -> Value.Pointer? {
    guard !values.pointee.isEmpty else { return nil }
    guard subscription.pointee.call.isOfOneOrigin else {
      return values.pointee.next(after: position) { value in
        covers(subscription.pointee.filter, value.pointee.type)
      }
    }
    return nextOfOrigin(subscription, after: position)
  }

  /// An observer of one origin looks at few: the one of its type, or those of the scope.
  private func nextOfOrigin(
    _ subscription: Subscription.Pointer, after position: UInt64
  ) -> Value.Pointer? {
    let origin = subscription.pointee.origin
    if case .one(let type) = subscription.pointee.filter {
      guard let value = values.pointee.find(type, origin), value.pointee.position > position else {
        return nil
      }
      return value
    }
    guard origin != 0 else {
      // Those of the context itself are in no chain.
      return values.pointee.next(after: position) { value in
        value.pointee.origin == 0 && covers(subscription.pointee.filter, value.pointee.type)
      }
    }
    var earliest: Value.Pointer?
    state.pointee.scopes.origins.eachValue(of: origin) { value in
      guard value.pointee.position > position,
        covers(subscription.pointee.filter, value.pointee.type)
      else { return }
      if let known = earliest, known.pointee.position < value.pointee.position { return }
      earliest = value
    }
    return earliest
  }

  private func oneType(of subscription: Subscription.Pointer) -> TypeValues.Pointer? {
    guard case .one(let type) = subscription.pointee.filter else { return nil }
    return state.pointee.observers.find(type)?.pointee.values
  }
}
