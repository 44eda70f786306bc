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
    listed = List()
    endWalk()
    (kept, lost) = (0, 0)
    hasTypes.store(false, ordering: .relaxed)
  }
}
