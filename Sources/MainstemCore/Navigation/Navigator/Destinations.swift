// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a route of the navigator leads to.
struct Destination {
  let route: UInt32
  let pattern: Name
  let kind: ComponentKind
  /// Of its factory; nil: it has none.
  let name: Name?
  /// The type that opens an owner; 0: it has none.
  let open: UInt32
  /// Whether the factory gets the URL.
  let tellsURL: Bool
  /// Of an embed, its slot; of a group, the URLs of its parts.
  let parts: Name?

  typealias Pointer = UnsafeMutablePointer<Destination>
}

/// The destinations of a navigator, by the numbers of their routes.
struct Destinations {
  private struct Entry: HashTableEntry {
    var key: UInt32 = 0
    var destination: Destination.Pointer?

    var isFree: Bool { destination == nil }
    static func hash(_ number: UInt32) -> UInt64 { Hash.counted(number) }
  }

  private var table = HashTable<Entry>()

  subscript(route: UInt32) -> Destination.Pointer? { table.find(route)?.pointee.destination }

  /// Adds one; false without memory.
  mutating func add(
    _ route: UInt32, _ pattern: Bytes, _ kind: ComponentKind, name: Bytes?, open: UInt32,
    tellsURL: Bool, parts: Bytes?
  ) -> Bool {
    let kept = Name(copying: pattern)
    let keptName = name.flatMap { Name(copying: $0) }
    let keptParts = parts.flatMap { Name(copying: $0) }
    guard table.reserve(), let kept, name == nil || keptName != nil,
      parts == nil || keptParts != nil,
      let destination = Memory.allocate(Destination.self)
    else {
      kept?.free()
      keptName?.free()
      keptParts?.free()
      return false
    }
    destination.initialize(
      to: Destination(
        route: route, pattern: kept, kind: kind, name: keptName, open: open, tellsURL: tellsURL,
        parts: keptParts))
    table.insert(Entry(key: route, destination: destination))
    return true
  }

  mutating func free() {
    table.each { entry in
      entry.destination?.pointee.pattern.free()
      entry.destination?.pointee.name?.free()
      entry.destination?.pointee.parts?.free()
      Memory.free(entry.destination)
    }
    table.free()
  }
}
