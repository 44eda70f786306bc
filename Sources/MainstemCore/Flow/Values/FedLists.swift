// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Lists as a journal has them, by type and by origin there: two origins may be one here. The list that changes follow
/// is found here, and not among the values.
struct FedLists {
  private struct Place: HashTableEntry {
    var key: UInt64 = 0
    var version: ListVersion.Pointer?

    var isFree: Bool { version == nil }
    static func hash(_ key: UInt64) -> UInt64 { key &* 0x9E37_79B9_7F4A_7C15 }
  }

  private var table = HashTable<Place>()

  func find(_ key: UInt64) -> ListVersion.Pointer? { table.find(key)?.pointee.version }

  /// Keeps a list; without memory, it is not known.
  mutating func set(_ key: UInt64, _ version: ListVersion.Pointer) {
    remove(key)
    guard table.reserve() else { return }
    ListVersion.retain(version)
    table.insert(Place(key: key, version: version))
  }

  mutating func remove(_ key: UInt64) {
    guard let known = find(key) else { return }
    table.remove(key)
    ListVersion.release(known)
  }

  mutating func free() {
    table.each { ListVersion.release($0.version) }
    table.free()
  }
}

/// What a replay knows of lists besides their events. For the deliverer.
extension Stream {
  /// Takes a list that the beginning of a journal's file has as a whole, unless it is known. Nobody has got it yet.
  package func give(_ list: WholeList, _ type: UInt32, _ origin: UInt32) {
    let key = Values.key(type, origin)
    guard contract(of: type).isList, withValues({ values.pointee.fed.find(key) == nil }),
      list.changes.areSound(contract(of: type)), list.changes.isReset,
      let version = list.changes.applied(to: nil)
    else { return }
    withValues { values.pointee.fed.set(key, version) }
    ListVersion.release(version)
  }

  /// Whether a scope has a list that is known.
  package func hasList(_ type: UInt32, _ origin: UInt32) -> Bool {
    withValues { values.pointee.find(type, origin)?.pointee.newest != nil }
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
    guard contract(of: event.pointee.type).isList, event.pointee.status == 0 else { return }
    let key = origin.map { Values.key(event.pointee.type, $0) }
    let step = Value.isMarked(event.pointee.flags) ? nil : fedStep(event, key)
    withValues {
      guard let key else { return }
      if let step {
        values.pointee.fed.set(key, step.pointee.version)
      } else {
        values.pointee.fed.remove(key)
      }
    }
    guard let step else { return markUnknown(event) }
    event.pointee.data = UnsafeRawPointer(ListStep.data(of: step))
    event.pointee.size = UInt32(truncatingIfNeeded: step.pointee.size)
    event.pointee.flags |= UInt32(MAINSTEM_EVENT_LIST)
  }

  /// The step that changes of a journal are; nil if they do not fit, or there is no memory.
  private func fedStep(
    _ event: UnsafePointer<mainstem_event>, _ key: UInt64?
  ) -> ListStep.Pointer? {
    let (base, isKnown) = withValues { () -> (ListVersion.Pointer?, Bool) in
      let here = values.pointee.find(event.pointee.type, event.pointee.origin)?.pointee.newest
      let base = key.map { values.pointee.fed.find($0) } ?? here
      if let base { ListVersion.retain(base) }
      return (base, base == here && base?.pointee.isLost != true)
    }
    defer { ListVersion.release(base) }
    let changes = Bytes(event.pointee.data, Int(event.pointee.size))
    guard let version = ListChanges(changes).applied(to: base) else { return nil }
    // To whoever has not got the list before, it is shown as a whole.
    guard isKnown || base == nil else {
      defer { ListVersion.release(version) }
      return ListStep.whole(version)
    }
    let step = ListStep.make(changes, to: version)
    if step == nil { ListVersion.release(version) }
    return step
  }
}

/// Marks the event of a list that is not known.
func markUnknown(_ event: UnsafeMutablePointer<mainstem_event>) {
  event.pointee.flags |= UInt32(MAINSTEM_EVENT_MARKED)
  event.pointee.size = 0
}
