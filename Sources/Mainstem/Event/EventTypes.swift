// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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
  let kinds = ModelKinds()
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
  /// Payloads, as arrays.
  let spares = Shelf { SpareBytes() }

  init(
    coder: any PayloadCoder, home: OpaquePointer?, clock: ContextClock = .monotonic,
    drainer: Drainer? = nil
  ) {
    self.coder = coder
    self.home = home
    self.drainer = drainer
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

  private func add<E: Event>(_ type: E.Type) throws(StreamError) -> KnownType {
    let isDense = try isDense(type)
    try names.claim(type, for: self)
    let event = known.add(KnownEvent<E>(number: try register(type), isDense: isDense))
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
      var layer: mainstem_contract = 0
      try StreamError.check(mainstem_layer_add(home, type.layer.name, &layer))
      let kept = type.record.contract | (type.isSecret ? MAINSTEM_SECRET : 0)
      let contract = type.payload.contract | type.role.contract | layer | kept
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
