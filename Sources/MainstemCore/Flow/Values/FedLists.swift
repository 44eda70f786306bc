// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Lists as a journal has them, by type and by origin there: two origins may be one here. The list that changes follow
/// is found here, and not among the values.
struct FedLists {
  private struct Place: HashTableEntry {
    var key: UInt64 = 0
    /// Nil: it is not known.
    var version: ListVersion.Pointer?
    /// The next list of its origin; 0: none.
    var next: UInt64 = 0

    var isFree: Bool { key == 0 }
    static func hash(_ key: UInt64) -> UInt64 { key &* 0x9E37_79B9_7F4A_7C15 }
  }

  private var table = HashTable<Place>()

  /// Where an origin's first list is named. No type has number 0.
  private static func first(_ origin: UInt32) -> UInt64 { UInt64(origin) &+ 1 << 33 }

  private static func key(_ type: UInt32, _ origin: UInt32) -> UInt64 {
    UInt64(type) << 34 | UInt64(origin)
  }

  func find(_ type: UInt32, _ origin: UInt32) -> ListVersion.Pointer? {
    table.find(Self.key(type, origin))?.pointee.version
  }

  /// Keeps a list; without memory, it is not known.
  mutating func set(_ type: UInt32, _ origin: UInt32, _ version: ListVersion.Pointer) {
    let key = Self.key(type, origin)
    if table.find(key) == nil, !add(key, origin) { return }
    ListVersion.retain(version)
    forget(type, origin)
    table.find(key)?.pointee.version = version
  }

  private mutating func add(_ key: UInt64, _ origin: UInt32) -> Bool {
    guard table.reserve() else { return false }
    table.insert(Place(key: key))
    guard table.reserve() else {
      table.remove(key)
      return false
    }
    let first = Self.first(origin)
    if table.find(first) == nil { table.insert(Place(key: first)) }
    table.find(key)?.pointee.next = table.find(first)?.pointee.next ?? 0
    table.find(first)?.pointee.next = key
    return true
  }

  /// A list is not known any longer.
  mutating func forget(_ type: UInt32, _ origin: UInt32) {
    guard let known = table.find(Self.key(type, origin)) else { return }
    ListVersion.release(known.pointee.version)
    known.pointee.version = nil
  }

  /// The scope of an origin has ended.
  mutating func end(_ origin: UInt32) {
    let first = Self.first(origin)
    guard var next = table.find(first)?.pointee.next else { return }
    table.remove(first)
    while next != 0, let place = table.find(next)?.pointee {
      ListVersion.release(place.version)
      table.remove(next)
      next = place.next
    }
  }

  mutating func free() {
    table.each { ListVersion.release($0.version) }
    table.free()
  }
}

/// What a replay knows of lists besides their events. For the deliverer.
extension Stream {
  /// Takes a list that the beginning of a journal's file has as a whole, and that is sound, unless it is known. Nobody
  /// has got it yet.
  package func give(_ list: WholeList, _ type: UInt32, _ origin: UInt32) {
    guard withValues({ values.pointee.fed.find(type, origin) == nil }),
      let version = list.changes.applied(to: nil)
    else { return }
    withValues { values.pointee.fed.set(type, origin, version) }
    ListVersion.release(version)
  }

  /// Forgets what is known of all lists, because events are lost that may have changed them.
  package func forgetLists() {
    withValues {
      values.pointee.fed.free()
      values.pointee.eachList { $0.pointee.forgetList() }
    }
  }

  /// Makes the list of the changes that a journal has. If they do not fit what is known, the event is a mark.
  ///
  /// - Parameter origin: Its origin in the journal; nil: what is here is there, too, because outputs are sent here.
  package func takeFedList(_ queued: QueuedEvent.Pointer, from origin: UInt32?) {
    let event = QueuedEvent.event(of: queued)
    let type = event.pointee.type
    guard contract(of: type).isList else {
      if let origin, type == state.pointee.reports.ended {
        withValues { values.pointee.fed.end(origin) }
      }
      return
    }
    // A mark has an error.
    let hasRows = event.pointee.status == 0 && !Value.isMarked(event.pointee.flags)
    let fed = hasRows ? fedStep(event, origin) : nil
    withValues {
      guard let origin else { return }
      if let fed {
        values.pointee.fed.set(type, origin, fed.step.pointee.version)
      } else {
        values.pointee.fed.forget(type, origin)
      }
    }
    guard let fed else {
      if hasRows { markUnknown(event) }
      return
    }
    event.pointee.data = UnsafeRawPointer(ListStep.data(of: fed.step))
    event.pointee.flags |= UInt32(MAINSTEM_EVENT_LIST)
    // To whoever has not got the list before, it is shown as a whole.
    if fed.isNew { event.pointee.flags |= UInt32(MAINSTEM_EVENT_WHOLE) }
  }

  /// The step that changes of a journal are, and whether the list before was not here; nil if they do not fit, or there
  /// is no memory.
  private func fedStep(
    _ event: UnsafePointer<mainstem_event>, _ origin: UInt32?
  ) -> (step: ListStep.Pointer, isNew: Bool)? {
    let (base, isKnown) = withValues { () -> (ListVersion.Pointer?, Bool) in
      let here = values.pointee.find(event.pointee.type, event.pointee.origin)?.pointee.newest
      let base = origin.map { values.pointee.fed.find(event.pointee.type, $0) } ?? here
      if let base { ListVersion.retain(base) }
      return (base, base == here && base?.pointee.isLost != true)
    }
    defer { ListVersion.release(base) }
    let changes = Bytes(event.pointee.data, Int(event.pointee.size))
    guard let version = ListChanges(changes).applied(to: base) else { return nil }
    guard let step = ListStep.make(changes, to: version) else {
      ListVersion.release(version)
      return nil
    }
    return (step, !isKnown && base != nil)
  }
}

/// Marks the event of a list that is not known.
func markUnknown(_ event: UnsafeMutablePointer<mainstem_event>) {
  event.pointee.flags |= UInt32(MAINSTEM_EVENT_MARKED)
  event.pointee.size = 0
}
