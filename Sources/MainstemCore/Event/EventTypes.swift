// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The event types of one stream: names, contracts, responses. Under the stream's lock; what callbacks may read of a
/// type never changes once its number is known.
package struct EventTypes {
  /// One registered type.
  package struct Entry {
    package let name: Name
    package let contract: Contract
    /// The name of the type that answers it.
    fileprivate(set) package var responseName: Name?
    /// How many bytes of its name are that of the model it is a row of; 0: it is no row of a model.
    fileprivate var ownerCount = 0
    /// Whether it is a row of a model that views may write.
    fileprivate(set) var isWritable = false

    /// The name of the scopes that own such a value; nil: any scope may have one.
    package var owner: Bytes? { ownerCount > 0 ? Bytes(name.bytes.start, ownerCount) : nil }
    /// Whether its model alone changes it.
    package var isOnlyShown: Bool { ownerCount > 0 && !isWritable }

    fileprivate init(_ name: Name, _ contract: Contract, response: Name?) {
      self.name = name
      self.contract = contract
      responseName = response
    }
  }

  private var entries: UnsafeMutablePointer<Entry>?
  private var capacity = 0
  package private(set) var count = 0
  private var numbers = NameTable()

  package init() {}

  package subscript(type: UInt32) -> Entry? {
    guard type > 0, Int(type) <= count, let entries else { return nil }
    return entries[Int(type) &- 1]
  }

  /// The number of a name; 0 if it is not registered.
  package func find(_ name: Bytes) -> UInt32 { numbers.find(name) }

  /// Refuses a name that is not registered. The message names up to three registered names that are close to it, in
  /// the order of registration.
  @inline(never)
  package func unknown(_ name: Bytes, _ argument: Phrase) -> Refusal {
    var subject = SubjectWriter()
    subject.add(name)
    var found = 0
    var index = 0
    while index < count, found < 3, let entry = entries?[index] {
      let other = entry.name.bytes
      if name.isClose(to: other, edits: 2), subject.hasRoom(for: other.count &+ 20) {
        subject.add(found == 0 ? " (did you mean " : ", ")
        subject.add(other)
        found &+= 1
      }
      index &+= 1
    }
    guard found == 0 else {
      subject.add("?)")
      return Refusal(.invalid, argument, "is not a registered event type", .name(subject.bytes))
    }
    return Refusal(
      .invalid, argument, "is not a registered event type: register it first", .name(subject.bytes))
  }

  /// The type that answers a type; 0 if it names none, or one that is not registered yet.
  package func response(of type: UInt32) -> UInt32 {
    guard let name = self[type]?.responseName else { return 0 }
    return numbers.find(name.bytes)
  }

  /// Whether a type names one that answers it, registered or not.
  package func isAnswered(_ type: UInt32) -> Bool { self[type]?.responseName != nil }

  /// The role of a name's type; nil if it is not registered.
  package func role(of name: Bytes) -> Contract.Role? { self[find(name)]?.contract.role }

  /// Whether a type names this one as its response.
  package func isResponse(_ name: Bytes) -> Bool {
    var index = 0
    while index < count, let entry = entries?[index] {
      if entry.responseName?.bytes == name { return true }
      index &+= 1
    }
    return false
  }

  /// Whether a name is registered, and with this response if one is given: registering it again would change nothing.
  package func isKnown(_ name: Bytes, response: Bytes?) -> Bool {
    guard let entry = self[find(name)] else { return false }
    guard let response else { return true }
    return entry.responseName?.bytes == response
  }

  /// Registers a new name.
  package mutating func add(
    _ name: Bytes, _ contract: Contract, response: Bytes?
  ) throws(Refusal) -> UInt32 {
    guard reserve(), numbers.reserve(), let copy = Name(copying: name) else { throw .noMemory }
    var responseName: Name?
    if let response {
      responseName = Name(copying: response)
      guard responseName != nil else {
        copy.free()
        throw .noMemory
      }
    }
    (entries! + count).initialize(
      to: Entry(copy, contract, response: responseName))
    count &+= 1
    numbers.insert(copy.bytes, UInt32(count))
    return UInt32(count)
  }

  /// Checks that a name registered again means the same, and adds a response that was missing. In a replay, what a journal
  /// keeps of a type may be something else: the journal says what it has kept.
  package mutating func confirm(
    _ type: UInt32, _ contract: Contract, response: Bytes?, inReplay: Bool
  ) throws(Refusal) {
    guard let entry = self[type] else { return }
    guard entry.contract.means(contract, whatIsKept: !inReplay) else {
      throw .registered(with: entry.contract, not: contract, entry.name.bytes)
    }
    guard let response else { return }
    if let known = entry.responseName {
      guard known.bytes == response else {
        throw Refusal(
          .invalid, "response",
          "is registered with another response: use that one, or another name",
          .name(entry.name.bytes))
      }
    } else {
      guard let name = Name(copying: response) else { throw .noMemory }
      entries?[Int(type) &- 1].responseName = name
    }
  }

  /// Notes that a type is a row of a model, how long the name of that is, and whether views may write it.
  package mutating func note(_ type: UInt32, ownerCount: Int, isWritable: Bool) {
    guard self[type] != nil, let entry = entries.map({ $0 + (Int(type) &- 1) }) else { return }
    entry.pointee.ownerCount = ownerCount
    if isWritable { entry.pointee.isWritable = true }
  }

  package mutating func free() {
    var index = 0
    while index < count, let entry = entries?[index] {
      entry.name.free()
      entry.responseName?.free()
      index &+= 1
    }
    Memory.free(entries)
    numbers.free()
    self = EventTypes()
  }

  private mutating func reserve() -> Bool {
    guard count == capacity else { return true }
    let wider = capacity == 0 ? 16 : capacity &* 2
    guard let fresh = Memory.allocate(Entry.self, count: wider) else { return false }
    if let entries { fresh.moveInitialize(from: entries, count: count) }
    Memory.free(entries)
    entries = fresh
    capacity = wider
    return true
  }
}

extension Bytes {
  /// Whether at most so many bytes, inserted, removed or replaced, make another of these; the case of ASCII
  /// letters does not count.
  fileprivate func isClose(to other: Bytes, edits: Int) -> Bool {
    var index = 0
    while index < count, index < other.count, Bytes.isSame(self[index], other[index]) {
      index &+= 1
    }
    let (left, right) = (count &- index, other.count &- index)
    guard max(left, right) > edits else { return true }
    guard edits > 0, min(left, right) > 0 else { return false }
    // Replaced, removed, inserted.
    return after(index &+ 1).isClose(to: other.after(index &+ 1), edits: edits &- 1)
      || after(index &+ 1).isClose(to: other.after(index), edits: edits &- 1)
      || after(index).isClose(to: other.after(index &+ 1), edits: edits &- 1)
  }

  private func after(_ index: Int) -> Bytes { Bytes(start + index, count &- index) }

  private static func isSame(_ one: UInt8, _ other: UInt8) -> Bool {
    one == other || one ^ other == 0x20 && (0x61...0x7A).contains(one | 0x20)
  }
}

extension Refusal {
  /// Of a name that is registered with another contract: names the first part that differs.
  fileprivate static func registered(
    with kept: Contract, not given: Contract, _ name: Bytes
  ) -> Refusal {
    let reason: Phrase =
      if kept.payload != given.payload || kept.bits & 0xFFFF_FFFF != given.bits & 0xFFFF_FFFF {
        "is registered with another payload: use that one, or another name"
      } else if kept.role != given.role {
        "is registered with another role: use that one, or another name"
      } else if kept.layer != given.layer {
        "is registered with another layer: use that one, or another name"
      } else if kept.isSecret != given.isSecret {
        "is registered with another secret flag: use that one, or another name"
      } else {
        "is registered with another record mode: use that one, or another name"
      }
    return Refusal(.invalid, "contract", reason, .name(name))
  }
}

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
