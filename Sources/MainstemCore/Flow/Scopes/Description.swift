// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The description of a context, or of a tree of its scopes: who handles, observes and has sent each event type. Under
/// the stream's lock while it lives.
///
/// Identical parts of one scope count as one, found by their key: the time grows with the scopes, types, observers and
/// values, and not with their product.
struct Description: ~Copyable {
  private let stream: Stream
  private let root: Scope.Pointer
  /// By type; at 0, those that look at no types in particular.
  private let parts: UnsafeMutablePointer<Parts>
  private let types: Int
  private var places = HashTable<FoundPart>()
  private var isWhole = true

  @inline(never)
  fileprivate init(_ stream: Stream, of root: Scope.Pointer) throws(Refusal) {
    let types = stream.state.pointee.types.count
    guard let parts = Memory.allocate(Parts.self, count: types &+ 1) else { throw .noMemory }
    parts.initialize(repeating: Parts(), count: types &+ 1)
    (self.stream, self.root, self.parts, self.types) = (stream, root, parts, types)
    var number: UInt32 = 0
    Scope.eachInOrder(root) { scope in
      number &+= 1
      scope.pointee.described = number
    }
  }

  deinit {
    Scope.eachInOrder(root) { $0.pointee.described = 0 }
    places.each { Memory.free($0.part) }
    var places = places
    places.free()
    Memory.free(parts)
  }
}

extension ResolvedHandle {
  /// Describes the scope that the handle names, and those below it.
  ///
  /// - Returns: The text, with a zero behind it, in memory that is the caller's.
  package func describe() throws(Refusal) -> UnsafeMutablePointer<CChar> {
    try reading { () throws(Refusal) in
      guard let scope else { throw .ended }
      var description = try Description(stream, of: scope)
      try description.collect()
      return try description.text()
    }
  }
}

/// What identical parts have in common.
private struct PartKey: Equatable {
  let type: UInt32
  let scope: Scope.Pointer
  let how: How
  /// Nil: called at once.
  var scheduler: Scheduler.Pointer?
  /// Of those that look at no types in particular.
  var role: UInt64 = 0
  var layers: UInt64 = 0

  /// The lists of a type.
  enum List {
    case handlers, observers, senders

    var name: StaticString {
      switch self {
      case .handlers: "handlers"
      case .observers: "observers"
      case .senders: "senders"
      }
    }
  }

  enum How: UInt8 {
    case sends, handles, handlesOwn, observes, observesOne, binds

    /// What a description says of it, beside its list.
    var kind: Bytes? {
      switch self {
      case .handlesOwn: Bytes("own")
      case .observesOne: Bytes("one scope")
      case .binds: Bytes("binding")
      default: nil
      }
    }

    var list: List {
      switch self {
      case .sends: .senders
      case .handles, .handlesOwn: .handlers
      default: .observers
      }
    }
  }
}

extension PartKey.How {
  init(_ call: Subscription.Call) {
    if call.isHandler {
      self = call.isForOthers ? .handles : .handlesOwn
    } else if call.isOfView {
      self = .binds
    } else {
      self = call.isOfOneOrigin ? .observesOne : .observes
    }
  }
}

/// Those who take part in the events of a type in the same way.
private struct Part {
  let key: PartKey
  var count: UInt64 = 1
  var next: Pointer?

  typealias Pointer = UnsafeMutablePointer<Part>
}

/// In the order of their first registration.
private struct Parts {
  var first: Part.Pointer?
  var last: Part.Pointer?
}

private struct FoundPart: HashTableEntry {
  var part: Part.Pointer?

  var isFree: Bool { part == nil }
  var key: PartKey? { part?.pointee.key }
  static func hash(_ key: PartKey?) -> UInt64 {
    guard let key else { return 0 }
    let ways = UInt64(UInt(bitPattern: key.scheduler)) ^ UInt64(key.how.rawValue) << 56
    return Hash.salted(
      Hash.salted(UInt64(key.type) << 32 | UInt64(key.scope.pointee.described))
        ^ Hash.salted(ways ^ key.layers ^ key.role))
  }
}

/// Collecting.
extension Description {
  @inline(never)
  fileprivate mutating func collect() throws(Refusal) {
    addSenders()
    stream.state.pointee.observers.each { add($0) }
    guard isWhole else { throw .noMemory }
  }

  /// Adds those that have set a value.
  private mutating func addSenders() {
    if root.pointee.parent == nil {
      for type in 0..<types { add(stream.values.pointee.find(UInt32(type &+ 1), 0), of: root) }
    }
    Scope.eachInOrder(root) { scope in
      stream.state.pointee.scopes.origins.eachValue(of: scope.pointee.origin) { add($0, of: scope) }
    }
  }

  @inline(never)
  private mutating func add(_ value: Value.Pointer?, of scope: Scope.Pointer) {
    guard let value, value.pointee.isSet else { return }
    add(PartKey(type: value.pointee.type, scope: scope, how: .sends))
  }

  @inline(never)
  private mutating func add(_ subscription: Subscription.Pointer) {
    let scope = subscription.pointee.scope
    guard scope.pointee.described > 0, !subscription.pointee.call.isInner,
      !Subscription.isCancelled(subscription)
    else { return }
    let how = PartKey.How(subscription.pointee.call)
    let scheduler = subscription.pointee.queue?.pointee.scheduler
    switch subscription.pointee.filter {
    case .nothing: break
    case .one(let type):
      add(PartKey(type: type, scope: scope, how: how, scheduler: scheduler))
    case .several(let types, let count):
      for index in 0..<count {
        add(PartKey(type: types[index], scope: scope, how: how, scheduler: scheduler))
      }
    case .pattern(let pattern):
      add(
        PartKey(
          type: 0, scope: scope, how: how, scheduler: scheduler, role: pattern.role,
          layers: pattern.layers))
    }
  }

  @inline(never)
  private mutating func add(_ key: PartKey) {
    guard isWhole, Int(key.type) <= types else { return }
    if let known = places.find(key)?.pointee.part {
      known.pointee.count &+= 1
      return
    }
    guard places.reserve(), let part = Memory.allocate(Part.self) else {
      isWhole = false
      return
    }
    part.initialize(to: Part(key: key))
    places.insert(FoundPart(part: part))
    let all = parts + Int(key.type)
    if let last = all.pointee.last { last.pointee.next = part } else { all.pointee.first = part }
    all.pointee.last = part
  }
}

/// Writing: once to measure, and once into memory.
extension Description {
  fileprivate func text() throws(Refusal) -> UnsafeMutablePointer<CChar> {
    var measure = JSONWriter(nil)
    write(to: &measure)
    guard let text = Memory.allocate(CChar.self, count: measure.length &+ 1) else {
      throw .noMemory
    }
    var writer = JSONWriter(text)
    write(to: &writer)
    text[writer.length] = 0
    return text
  }

  private func write(to writer: inout JSONWriter) {
    writer.open()
    writer.openList("scopes")
    Scope.eachInOrder(root) { write($0, to: &writer) }
    writer.closeList()
    writer.openList("types")
    for type in 0..<types { write(type: type &+ 1, to: &writer) }
    writer.closeList()
    write(.observers, of: 0, to: &writer)
    writer.close()
  }

  private func write(_ scope: Scope.Pointer, to writer: inout JSONWriter) {
    writer.open()
    writer.member("name", name(of: scope))
    writer.member("kind", kind(of: scope))
    writer.member("number", unsigned: scope.pointee.number)
    if scope != root, let parent = scope.pointee.parent {
      writer.member("parent", Int64(parent.pointee.described) &- 1)
    }
    let rights = stream.state.pointee.scopes.origins.rights(of: scope.pointee.origin)
    write("sends", layers: rights.send, to: &writer)
    write("observes", layers: rights.observe, to: &writer)
    writer.close()
  }

  private func kind(of scope: Scope.Pointer) -> Bytes {
    if scope.pointee.parent == nil { return Bytes("context") }
    if scope.pointee.service != 0 { return Bytes("service") }
    return scope.pointee.isServer ? Bytes("server") : Bytes("scope")
  }

  private func write(type: Int, to writer: inout JSONWriter) {
    guard let entry = stream.state.pointee.types[UInt32(type)] else { return }
    writer.open()
    writer.member("name", entry.name.bytes)
    if let role = entry.contract.role { writer.member("role", name(of: role)) }
    writer.member("layer", name(ofLayer: entry.contract.layer))
    if let response = entry.responseName { writer.member("response", response.bytes) }
    write(.handlers, of: type, to: &writer)
    write(.observers, of: type, to: &writer)
    write(.senders, of: type, to: &writer)
    writer.close()
  }

  /// Writes a list of a type's parts, if there are any.
  private func write(_ list: PartKey.List, of type: Int, to writer: inout JSONWriter) {
    var next = parts[type].first
    var isEmpty = true
    while let part = next {
      next = part.pointee.next
      guard part.pointee.key.how.list == list else { continue }
      if isEmpty { writer.openList(list.name) }
      isEmpty = false
      write(part.pointee, to: &writer)
    }
    if !isEmpty { writer.closeList() }
  }

  private func write(_ part: Part, to writer: inout JSONWriter) {
    let key = part.key
    writer.open()
    writer.member("scope", Int64(key.scope.pointee.described) &- 1)
    writer.member("name", name(of: key.scope))
    if let kind = key.how.kind { writer.member("kind", kind) }
    if let role = Contract.Role(rawValue: key.role) { writer.member("role", name(of: role)) }
    if key.type == 0 { write("layers", layers: key.layers, to: &writer) }
    if let scheduler = key.scheduler {
      let place = scheduler.pointee.kind.isMailbox ? Bytes("mailbox") : Bytes("host")
      writer.member("on", scheduler.pointee.name?.bytes ?? place)
    }
    if part.count > 1 { writer.member("count", unsigned: part.count) }
    writer.close()
  }

  /// Writes the layers of a set, unless these are all.
  private func write(
    _ list: StaticString, layers set: UInt64, to writer: inout JSONWriter
  ) {
    let count = stream.state.pointee.layers.count
    let all = UInt64.max &>> (64 &- UInt64(count))
    guard set & all != all else { return }
    writer.openList(list)
    for layer in 0..<count where set & (1 &<< UInt64(layer)) != 0 {
      writer.element(name(ofLayer: layer))
    }
    writer.closeList()
  }

  @inline(never)
  private func name(of scope: Scope.Pointer) -> Bytes {
    stream.state.pointee.scopes.origins[scope.pointee.origin] ?? Bytes("")
  }

  @inline(never)
  private func name(ofLayer layer: UInt32) -> Bytes { stream.state.pointee.layers.name(of: layer) }

  @inline(never)
  private func name(of role: Contract.Role) -> Bytes {
    switch role {
    case .request: Bytes("request")
    case .response: Bytes("response")
    case .notice: Bytes("notice")
    case .value: Bytes("value")
    }
  }
}
