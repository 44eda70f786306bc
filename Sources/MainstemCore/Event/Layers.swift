// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The layers of one stream: six built in, the others added by the app, by name. Under the stream's lock.
package struct Layers {
  package static var limit: Int { 64 }
  package static var ownCount: Int { 6 }

  private var names: UnsafeMutablePointer<Name>?
  private var added = 0

  package init() {}

  package var count: UInt32 { UInt32(Self.ownCount &+ added) }

  /// The number of an existing layer.
  package func find(_ name: Bytes) -> UInt32? {
    var number: UInt32 = 0
    while number < count {
      if self.name(of: number) == name { return number }
      number &+= 1
    }
    return nil
  }

  /// The name of a layer; empty if there is none.
  package func name(of number: UInt32) -> Bytes {
    switch number {
    case 0: return Bytes("app")
    case 1: return Bytes("model")
    case 2: return Bytes("viewmodel")
    case 3: return Bytes("view")
    case 4: return Bytes("navigation")
    case 5: return Bytes("system")
    default:
      guard number < count, let names else { return Bytes("") }
      return names[Int(number) &- Self.ownCount].bytes
    }
  }

  /// The number of a layer; a new name is added.
  package mutating func number(of name: Bytes) throws(Refusal) -> UInt32 {
    if let known = find(name) { return known }
    guard Self.ownCount &+ added < Self.limit else {
      throw Refusal(.limit, "name", "is one too many: a context has at most 64 layers")
    }
    if names == nil { names = Memory.allocate(Name.self, count: Self.limit &- Self.ownCount) }
    guard let names, let copy = Name(copying: name) else { throw .noMemory }
    (names + added).initialize(to: copy)
    added &+= 1
    return UInt32(Self.ownCount &+ added &- 1)
  }

  package mutating func free() {
    var index = 0
    while index < added {
      names?[index].free()
      index &+= 1
    }
    Memory.free(names)
    self = Layers()
  }
}
