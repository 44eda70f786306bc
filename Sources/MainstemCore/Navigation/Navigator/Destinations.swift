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

/// The destinations of a navigator, in the order of adding, which is that of the numbers of their routes.
struct Destinations {
  private var array = PointerArray<Destination>()

  /// The destination of a route.
  @inline(never)
  subscript(route: UInt32) -> Destination.Pointer? {
    let place = array.first { $0.pointee.route < route }
    return self[at: place].flatMap { $0.pointee.route == route ? $0 : nil }
  }

  /// The destination that was added after so many others; nil: there is none.
  subscript(at index: Int) -> Destination.Pointer? {
    index >= 0 && index < array.count ? array[index] : nil
  }

  /// Adds one; false without memory.
  mutating func add(
    _ route: UInt32, _ pattern: Bytes, _ kind: ComponentKind, name: Bytes?, open: UInt32,
    tellsURL: Bool, parts: Bytes?
  ) -> Bool {
    let kept = Name(copying: pattern)
    let keptName = name.flatMap { Name(copying: $0) }
    let keptParts = parts.flatMap { Name(copying: $0) }
    guard array.reserve(), let kept, name == nil || keptName != nil,
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
    array.insert(destination, at: array.count)
    return true
  }

  func free() {
    var index = 0
    while let destination = self[at: index] {
      destination.pointee.pattern.free()
      destination.pointee.name?.free()
      destination.pointee.parts?.free()
      Memory.free(destination)
      index &+= 1
    }
    array.free()
  }
}
