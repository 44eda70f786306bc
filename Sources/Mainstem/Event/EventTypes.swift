// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The event types of one context, by Swift type; each is registered when first used.
///
/// Sendable because a context may be opened for any thread: what is known is found by atomics.
final class EventTypes: @unchecked Sendable {
  let coder: any PayloadCoder
  /// Who drains the context; nil: its host does.
  let drainer: Drainer?
  /// Where types are registered, whichever scope uses them first: a scope's rights limit what it sends,
  /// not which types are known.
  let home: OpaquePointer?
  private let known = KnownTypes()
  private let names: TypeNames
  /// The kinds of view models.
  let kinds = Locked<[ModelKey: AnyObject]>([:])
  /// What types of values carry.
  let contracts = ValueContracts()
  /// What its tables of routes have in common.
  let routes = KnownRoutes()
  /// Whether this program has begun a journal of the context. Only its owner's thread may do so.
  var isRecorded = false
  /// Its virtual clock as tasks see it; nil: it has none, or a C host has it.
  let time: VirtualTime?
  /// Where the tasks of handlers run; nil: as all others. Set before the first of them.
  var tasks: TaskQueue?
  /// What is counted for a test kit; nil: nothing.
  var census: Census?
  /// The rows of lists that are kept.
  let rows: KeptRows
  /// Payloads, as arrays.
  let spares = Shelf { SpareBytes() }

  init(
    coder: any PayloadCoder, home: OpaquePointer?, clock: ContextClock = .monotonic,
    drainer: Drainer? = nil, isBorrowed: Bool = false
  ) {
    self.coder = coder
    self.home = home
    self.drainer = drainer
    rows = drainer?.rows ?? KeptRows(isBorrowed: isBorrowed)
    names = TypeNames.of(home)
    time = clock == .virtual ? VirtualTime() : nil
  }

  func number(of type: any Event.Type) throws(StreamError) -> mainstem_event_type {
    if let found = known.find(type) { return found.number }
    return try add(type).number
  }

  func type<E: Event>(of type: E.Type) throws(StreamError) -> KnownType {
    if let found = known.find(type) { return found }
    return try add(type)
  }

  /// The type, for one more who will decode each of its events.
  func reader<E: Event>(of type: E.Type) throws(StreamError) -> KnownEvent<E> {
    let event = if let found = known.find(type) { found } else { try add(type) }
    // Types are known as events of themselves: `add` makes nothing else.
    let reader = unsafeDowncast(event, to: KnownEvent<E>.self)
    reader.addReader()
    return reader
  }

  // Once a type: it must not be part of each send.
  @inline(never)
  private func add<E: Event>(_ type: E.Type) throws(StreamError) -> KnownType {
    let isDense = try isDense(type)
    try names.claim(type, for: self)
    let new = KnownEvent<E>(number: try register(type), isDense: isDense)
    if let list = type as? any ListEvent.Type { contracts.declare(list.row, new.number) }
    let event = known.add(new)
    if let answer = type.answer { _ = try number(of: answer) }
    return event
  }

  /// Claims the name of a kind of view models: no other kind may have it.
  func claim(owner: String, _ type: Any.Type) throws(StreamError) {
    try names.claim(owner: owner, type, for: self)
  }

  /// The number of a type that is known by its name.
  func number(named name: String) throws(StreamError) -> mainstem_event_type {
    var number: mainstem_event_type = 0
    try StreamError.check(mainstem_type_find(home, name, &number))
    return number
  }

  /// The name of a type; nil: the scope that asks has ended, or there is no such type.
  func name(of number: mainstem_event_type) -> String? {
    var info = mainstem_type_info()
    info.size = UInt32(MemoryLayout<mainstem_type_info>.size)
    guard mainstem_type_read(home, number, &info) == 0 else { return nil }
    return info.name.map { String(cString: $0) }
  }

  private func isDense(_ type: any Event.Type) throws(StreamError) -> Bool {
    guard let type = type as? any BitwiseEvent.Type else { return false }
    do {
      let layout = try BitwiseLayout.of(type)
      // A type may encode itself in another way after all.
      return layout.isDense && type.payload == .structure(size: UInt32(clamping: layout.size))
    } catch {
      throw StreamError(.invalid, EventTypes.message(of: error, in: type, isSecret: false))
    }
  }

  private func register(_ type: any Event.Type) throws(StreamError) -> mainstem_event_type {
    var number: mainstem_event_type = 0
    if type.name.hasPrefix("Mainstem") {
      try StreamError.check(mainstem_type_find(home, type.name, &number))
      return number
    }
    do throws(StreamError) {
      let layer = try type.layer.contract(in: home)
      let kept = type.record.contract | (type.isSecret ? MAINSTEM_SECRET : 0)
      let list = type is any ListEvent.Type ? MAINSTEM_LIST : 0
      let contract = type.payload.contract | type.role.contract | layer | kept | list
      try StreamError.check(
        mainstem_type_add(home, type.name, contract, type.answer?.name, &number))
      return number
    } catch {
      guard error.status == .wrongThread else { throw error }
      throw StreamError(
        .wrongThread,
        "\(type.name) is not registered yet, and only the context's thread can do that: call context.register(\(type).self) there first"
      )
    }
  }
}

extension Context {
  /// Makes event types known to the context, and the types that answer them.
  ///
  /// A type that is sent, observed or served on the context's thread is known anyway. Register those that only other
  /// threads use: what they post, or report as progress.
  ///
  ///     try context.register(Exporting.self)
  ///
  /// - Parameter kinds: The types. One that is known already stays as it is.
  /// - Throws: ``Status/invalid`` if another type has the name; ``Status/wrongThread``.
  public func register(_ kinds: any Event.Type...) throws(StreamError) {
    for kind in kinds { _ = try types.number(of: kind) }
  }
}

/// The types that a context knows, found without a lock. None is ever removed.
struct KnownTypes: ~Copyable {
  private let buckets = InlineArray<64, KnownLink> { _ in KnownLink() }

  /// The known type for a Swift type.
  @inline(__always)
  func find(_ type: any Event.Type) -> KnownType? {
    let type = ObjectIdentifier(type)
    var known = buckets[KnownTypes.bucket(of: type)].load()
    while let found = known, found.type != type { known = found.next.load() }
    return known
  }

  /// Adds a type, unless another thread has added it meanwhile.
  ///
  /// - Returns: The one that is known from now on.
  func add(_ new: KnownType) -> KnownType {
    var known = buckets[KnownTypes.bucket(of: new.type)].storeIfNone(new)
    while known.type != new.type { known = known.next.storeIfNone(new) }
    return known
  }

  @inline(__always)
  private static func bucket(of type: ObjectIdentifier) -> Int {
    // Descriptions of types lie at least 16 bytes apart.
    let bits = UInt(bitPattern: type)
    return Int(truncatingIfNeeded: (bits >> 4 ^ bits >> 10) & 63)
  }
}

/// A place for a known type, which is filled once.
struct KnownLink: ~Copyable {
  private let place = Atomic<UnsafeMutableRawPointer?>(nil)

  deinit {
    if let known = place.load(ordering: .acquiring) {
      // `storeIfNone` retained it.
      Unmanaged<KnownType>.fromOpaque(known).release()
    }
  }

  @inline(__always)
  func load() -> KnownType? {
    guard let known = place.load(ordering: .acquiring) else { return nil }
    // Retained for as long as the link lives.
    return Unmanaged<KnownType>.fromOpaque(known).takeUnretainedValue()
  }

  /// Stores a type, unless there is one.
  ///
  /// - Returns: The one that is there now.
  func storeIfNone(_ new: KnownType) -> KnownType {
    // Released by the link, or below.
    let kept = Unmanaged.passRetained(new)
    let (stored, known) = place.compareExchange(
      expected: nil, desired: kept.toOpaque(), ordering: .acquiringAndReleasing)
    guard !stored, let known else { return new }
    kept.release()
    // Retained for as long as the link lives.
    return Unmanaged<KnownType>.fromOpaque(known).takeUnretainedValue()
  }
}

/// An event type that a context knows, under its number.
class KnownType {
  let type: ObjectIdentifier
  let number: mainstem_event_type
  /// Whether its payloads are its bytes in memory, all of them and any.
  let isDense: Bool
  /// The type that was met next among those of its bucket.
  let next = KnownLink()

  init(_ type: any Event.Type, number: mainstem_event_type, isDense: Bool) {
    self.type = ObjectIdentifier(type)
    self.number = number
    self.isDense = isDense
  }
}

/// The same, for whoever decodes its events: if several look at an event, it is decoded once.
///
/// What Swift sends is decoded too: each observer gets what a C program or a journal would give it.
final class KnownEvent<E: Event>: KnownType {
  /// Who has registered to decode events of the type, in all.
  private let readers = Atomic(0)
  private let isTaken = Atomic(false)
  /// Whether its events are those of a list.
  let isList = E.self is any ListEvent.Type
  // Only touched by whoever has taken it.
  private var position: UInt64 = 0
  private var event: E?

  init(number: mainstem_event_type, isDense: Bool) {
    super.init(E.self, number: number, isDense: isDense)
  }

  /// Counts one more who will decode each event.
  func addReader() { readers.add(1, ordering: .relaxed) }

  /// What one observer knows of the lists of this type; nil: they are no lists.
  var reading: ListReading? { isList ? ListReading() : nil }

  /// The event in a delivery, decoded by this call or by one before it.
  func decoded(
    _ delivery: borrowing Delivery, _ reading: ListReading? = nil
  ) throws(Failure) -> E {
    if isDense, let data = delivery.event.pointee.data,
      Int(delivery.event.pointee.size) == MemoryLayout<E>.size,
      UInt(bitPattern: data) % UInt(MemoryLayout<E>.alignment) == 0
    {
      return data.load(as: E.self)
    }
    if isList { return try list(delivery, reading) }
    // One reader needs no memory of the last event, and a secret must not stay.
    if readers.load(ordering: .relaxed) < 2 || delivery.isSecret || E.isSecret {
      return try delivery.decode(E.self)
    }
    return try shared(delivery)
  }

  @inline(never)
  private func list(
    _ delivery: borrowing Delivery, _ reading: ListReading?
  ) throws(Failure) -> E {
    try delivery.types.list(E.self, from: delivery.event, reading)
  }

  /// Decodes for all readers. Apart, because it needs more of the type than one reader does.
  @inline(never)
  private func shared(_ delivery: borrowing Delivery) throws(Failure) -> E {
    // Another thread, or a decoder that decodes: it decodes for itself.
    if isTaken.exchange(true, ordering: .acquiring) { return try delivery.decode(E.self) }
    defer { isTaken.store(false, ordering: .releasing) }
    if let event, position == delivery.position { return event }
    let decoded = try delivery.decode(E.self)
    (event, position) = (decoded, delivery.position)
    return decoded
  }
}

extension KnownEvent where E: Response {
  /// The response in a delivery, or its failure.
  func result(_ delivery: borrowing Delivery) -> Result<E, Failure> {
    delivery.outcome { try decoded(delivery) }
  }
}

/// Which Swift type has which name in one context, whichever module registers it.
///
/// C finds types by name: without this, a second type of a name would silently become the first one, and its observers
/// and servers would get the other's events.
///
/// Sendable because `claims` is only touched under the lock.
final class TypeNames: @unchecked Sendable {
  private let root: OpaquePointer?
  private let lock = Lock()
  private var claims: [String: Claim] = [:]

  private init(_ root: OpaquePointer?) { self.root = root }

  deinit { SharedNames.all.remove(root) }

  /// The names of a context: one table for all that wrap it or one of its scopes, unless that is limited.
  static func of(_ handle: OpaquePointer?) -> TypeNames {
    var root: OpaquePointer?
    guard mainstem_scope_find(handle, 0, &root, nil) == 0, let root else { return TypeNames(nil) }
    return SharedNames.all.find(root) { TypeNames(root) }
  }

  /// Claims an event type's name, and that of its answer.
  ///
  /// - Throws: ``Status/invalid`` if another Swift type has one of them. Modules that wrap the context of a C host each for
  ///   themselves may agree on a name, as programs in C and Python do, if one of the types declares it itself.
  func claim(_ type: any Event.Type, for user: EventTypes) throws(StreamError) {
    try claim(type.name, isDeclared: type.name != "\(type)", type, user)
    if let answer = type.answer {
      try claim(answer.name, isDeclared: answer.name != "\(answer)", answer, user)
    }
  }

  /// Claims the name of a kind of view models, the first part of the names of what it shows.
  ///
  /// - Throws: ``Status/invalid`` if another kind has that name.
  func claim(owner: String, _ type: Any.Type, for user: EventTypes) throws(StreamError) {
    try claim("\(owner).", isDeclared: false, type, user)
  }

  private func claim(
    _ name: String, isDeclared: Bool, _ type: Any.Type, _ user: EventTypes
  ) throws(StreamError) {
    let new = Claim(
      type: String(reflecting: type), isDeclared: isDeclared, user: ObjectIdentifier(user))
    let first = lock.locked {
      let first = claims[name] ?? new
      claims[name] = first
      return first
    }
    if first.type == new.type { return }
    if first.user != new.user, first.isDeclared || new.isDeclared { return }
    let shown = name.hasSuffix(".") ? String(name.dropLast()) : name
    throw StreamError(
      .invalid,
      "\(shown): both \(first.place) and \(new.place) have this name: declare another name in one of them:"
        + " static let name = …")
  }
}

/// Who has a name.
private struct Claim {
  /// The type, with its module and the types around it. Two loaded copies of one module make the same of it.
  let type: String
  /// Whether the type has declared the name.
  let isDeclared: Bool
  /// The wrapper of the context through which it came.
  let user: ObjectIdentifier

  /// The type as a reader knows it. Of one that is private or local, Swift shows addresses.
  var place: String {
    let parts = type.split(separator: ".").map { part in
      part.contains("(unknown context at $") ? "(private)" : String(part)
    }
    let shown = parts.indices.filter { place in
      place == 0 || parts[place] != "(private)" || parts[place - 1] != "(private)"
    }
    return shown.map { parts[$0] }.joined(separator: ".")
  }
}

/// The tables of the contexts that live.
///
/// Sendable because `tables` is only touched under the lock.
private final class SharedNames: @unchecked Sendable {
  static let all = SharedNames()

  private struct Table { weak var names: TypeNames? }

  private let lock = Lock()
  private var tables: [OpaquePointer: Table] = [:]

  func find(_ root: OpaquePointer, _ make: () -> TypeNames) -> TypeNames {
    lock.locked {
      if let names = tables[root]?.names { return names }
      let names = make()
      tables[root] = Table(names: names)
      return names
    }
  }

  /// Forgets a table that has ended, unless there is another one of that context by now.
  func remove(_ root: OpaquePointer?) {
    guard let root else { return }
    // Released here, not under the lock: the last release of a table comes back to this function.
    withExtendedLifetime(
      lock.locked {
        let names = tables[root]?.names
        if names == nil { tables[root] = nil }
        return names
      }
    ) {}
  }
}
