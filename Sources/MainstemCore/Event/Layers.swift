// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The layers of one stream: six of ours, the rest the app's, by name. Used under the stream's lock.
package struct Layers {
  package static var limit: Int { 64 }
  private static var ownCount: Int { 6 }

  private var names: UnsafeMutablePointer<Name>?
  private var added = 0

  package init() {}

  package var count: UInt32 { UInt32(Self.ownCount &+ added) }

  /// The number of a layer; a new name is added.
  package mutating func number(of name: Bytes) throws(Refusal) -> UInt32 {
    if let own = Self.own(name) { return own }
    var index = 0
    while index < added {
      if names![index].bytes == name { return UInt32(Self.ownCount &+ index) }
      index &+= 1
    }
    guard Self.ownCount &+ added < Self.limit else {
      throw Refusal(.limit, "name", "is one layer too many: there are 64")
    }
    if names == nil { names = Memory.allocate(Name.self, count: Self.limit &- Self.ownCount) }
    guard let names, let kept = Name(copying: name) else { throw .noMemory }
    (names + added).initialize(to: kept)
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

  private static func own(_ name: Bytes) -> UInt32? {
    if name == Bytes("app") { return 0 }
    if name == Bytes("model") { return 1 }
    if name == Bytes("viewmodel") { return 2 }
    if name == Bytes("view") { return 3 }
    if name == Bytes("navigation") { return 4 }
    if name == Bytes("system") { return 5 }
    return nil
  }
}
