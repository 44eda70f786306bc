// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Lists as the beginning of a journal's file has them. Nobody has got them yet: the next event of each shows it whole.
struct GivenLists {
  private struct Place: HashTableEntry {
    var key: UInt64 = 0
    var position: UInt64 = 0
    var version: ListVersion.Pointer?

    var isFree: Bool { version == nil }
    static func hash(_ key: UInt64) -> UInt64 { key &* 0x9E37_79B9_7F4A_7C15 }
  }

  private var table = HashTable<Place>()

  /// Takes over a list as it was with its event at a position; without memory, it is not known.
  mutating func add(_ key: UInt64, _ version: ListVersion.Pointer, at position: UInt64) {
    ListVersion.release(take(key)?.version)
    guard table.reserve() else { return ListVersion.release(version) }
    table.insert(Place(key: key, position: position, version: version))
  }

  /// Takes out a list, which becomes the caller's.
  mutating func take(_ key: UInt64) -> (version: ListVersion.Pointer, position: UInt64)? {
    guard let place = table.find(key), let version = place.pointee.version else { return nil }
    let position = place.pointee.position
    table.remove(key)
    return (version, position)
  }

  mutating func free() {
    table.each { ListVersion.release($0.version) }
    table.free()
  }
}

/// What a replay knows of lists besides their events. For the deliverer.
extension Stream {
  /// Takes a list that the beginning of a journal's file has as a whole.
  package func give(_ list: WholeList, _ type: UInt32, _ origin: UInt32) {
    guard contract(of: type).isList, list.changes.areSound(contract(of: type)),
      list.changes.isReset, let version = list.changes.applied(to: nil)
    else { return }
    withValues { values.pointee.given.add(Values.key(type, origin), version, at: list.position) }
  }

  /// Whether a scope has a list that is known.
  package func hasList(_ type: UInt32, _ origin: UInt32) -> Bool {
    withValues { values.pointee.find(type, origin)?.pointee.newest != nil }
  }

  /// Forgets what is known of all lists, because events are lost that may have changed them.
  package func forgetLists() {
    withValues {
      values.pointee.given.free()
      values.pointee.eachList { $0.pointee.forgetList() }
    }
  }

  /// The list that changes of a journal follow, held for the caller; nil: it is not known.
  func baseOfFed(_ event: UnsafePointer<mainstem_event>) -> (version: ListVersion.Pointer, isGiven: Bool)? {
    withValues {
      let value = values.pointee.find(event.pointee.type, event.pointee.origin)
      let known = value?.pointee.newest
      if let given = values.pointee.given.take(Values.key(event.pointee.type, event.pointee.origin)) {
        if known == nil || value?.pointee.newestPosition != given.position {
          return (given.version, true)
        }
        ListVersion.release(given.version)
      }
      guard let known else { return nil }
      ListVersion.retain(known)
      return (known, known.pointee.isLost)
    }
  }
}
