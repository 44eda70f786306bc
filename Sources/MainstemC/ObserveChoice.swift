// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import MainstemCore

extension mainstem_observe_options {
  /// The size of the first version, which ends before `of`.
  private static var firstSize: Int {
    MemoryLayout<mainstem_observe_options>.size &- MemoryLayout<OpaquePointer?>.size
  }

  /// Checks a size that the caller was compiled with.
  private static func knownSize(_ size: UInt32) throws(Refusal) -> Int {
    if Int(size) == firstSize { return firstSize }
    try checkSize(size, MemoryLayout<mainstem_observe_options>.size, "options")
    return Int(size)
  }

  /// Reads a host's options, or takes the defaults; what the caller's version does not have is 0.
  init(reading options: UnsafePointer<mainstem_observe_options>?) throws(Refusal) {
    self.init()
    guard let options else { return }
    let raw = UnsafeRawPointer(options)
    let size = try Self.knownSize(raw.load(as: UInt32.self))
    withUnsafeMutablePointer(to: &self) {
      UnsafeMutableRawPointer($0).copyMemory(from: raw, byteCount: size)
    }
  }

  /// Returns these options after checking every field that can be checked without a context.
  func checked() throws(Refusal) -> mainstem_observe_options {
    let outcomes = UInt32(MAINSTEM_OBSERVE_FAILED | MAINSTEM_OBSERVE_SUCCEEDED)
    let others = UInt32(
      MAINSTEM_OBSERVE_CONFIRM | MAINSTEM_OBSERVE_NEW | MAINSTEM_OBSERVE_ON_DEMAND
        | MAINSTEM_OBSERVE_WRITTEN)
    guard flags & ~(outcomes | others) == 0 else {
      throw Refusal(.invalid, "options.flags", "has an unknown flag")
    }
    guard flags & UInt32(MAINSTEM_OBSERVE_WRITTEN) == 0 || of != nil else {
      throw Refusal(.invalid, "options.flags", "MAINSTEM_OBSERVE_WRITTEN needs a scope in `of`")
    }
    guard !isOnDemand || scheduler != Schedulers.immediate else {
      throw Refusal(.invalid, "options.flags", "MAINSTEM_OBSERVE_ON_DEMAND needs a scheduler")
    }
    guard flags & outcomes != outcomes else {
      throw Refusal(.invalid, "options.flags", "has both MAINSTEM_OBSERVE_FAILED and _SUCCEEDED")
    }
    guard role == 0 || role & ~0xF0_0000_0000 == 0 && Contract(bits: role).role != nil else {
      throw Refusal(.invalid, "options.role", "is not a role")
    }
    guard types != nil || type_count == 0 else { throw .null("options.types") }
    guard type_count >= 0, type_count <= 1 << 24 else {
      throw Refusal(.tooBig, "options.type_count", "is over 16,777,216")
    }
    guard SubscriptionQueue.Policy(rawValue: policy) != nil else {
      throw Refusal(.invalid, "options.policy", "is not a queue policy")
    }
    try SubscriptionQueue.Bounds.check(limit_events, limit_bytes)
    return self
  }

  /// The limits of the queue.
  var bounds: SubscriptionQueue.Bounds {
    SubscriptionQueue.Bounds(
      limits: limit_events, limit_bytes,
      policy: SubscriptionQueue.Policy(rawValue: policy) ?? .reject, isOnDemand: isOnDemand)
  }

  /// The scope that it looks at; nil: it looks at every origin.
  func scope(in resolved: ResolvedHandle) throws(Refusal) -> ResolvedHandle? {
    guard let of else { return nil }
    let one = try ResolvedHandle(Handle(of), .context, "options.of")
    guard one.stream.state == resolved.stream.state else {
      throw Refusal(.invalid, "options.of", "is of another context")
    }
    return one
  }

  /// Whether the observer asks for its events.
  var isOnDemand: Bool { flags & UInt32(MAINSTEM_OBSERVE_ON_DEMAND) != 0 }

  /// What is checked at each call.
  var call: Subscription.Call {
    var call = Subscription.Call()
    if flags & UInt32(MAINSTEM_OBSERVE_FAILED) != 0 { call.wants = .failed }
    if flags & UInt32(MAINSTEM_OBSERVE_SUCCEEDED) != 0 { call.wants = .succeeded }
    call.confirms = flags & UInt32(MAINSTEM_OBSERVE_CONFIRM) != 0
    call.counts = count != 0
    call.skipsHistory = flags & UInt32(MAINSTEM_OBSERVE_NEW) != 0
    call.wantsWritten = flags & UInt32(MAINSTEM_OBSERVE_WRITTEN) != 0
    call.isScheduled = scheduler != Schedulers.immediate
    return call
  }

  /// The types it observes: a pattern, or those of the list that match it.
  func filter(of resolved: ResolvedHandle) throws(Refusal) -> Filter {
    let pattern = Filter.Pattern(
      role: Contract(bits: role).role?.rawValue ?? 0, layers: layers == 0 ? .max : layers)
    guard let types else { return .pattern(pattern.narrowed(to: resolved.observableLayers)) }
    guard type_count > 0 else { return .nothing }
    guard let list = Memory.allocate(UInt32.self, count: type_count) else { throw .noMemory }
    var kept = 0
    var index = 0
    do throws(Refusal) {
      while index < type_count {
        let type = try resolved.known(types[index])
        if pattern.matches(resolved.contract(of: type)) {
          list[kept] = try resolved.observable(type)
          kept &+= 1
        }
        index &+= 1
      }
    } catch {
      Memory.free(list)
      throw error
    }
    return Filter(sorting: list, count: kept)
  }
}

extension SubscriptionQueue.Bounds {
  /// The bounds that a host gives; 0 means the default.
  init(
    limits events: Int, _ bytes: Int, policy: SubscriptionQueue.Policy, isOnDemand: Bool = false
  ) {
    self.init(
      events: events == 0 ? 65_536 : events, bytes: bytes == 0 ? 64 << 20 : bytes, policy: policy,
      isOnDemand: isOnDemand)
  }

  /// Refuses bounds that a `size_t` has and an `Int` has not.
  static func check(_ events: Int, _ bytes: Int) throws(Refusal) {
    guard events >= 0 else {
      throw Refusal(.tooBig, "options.limit_events", "is larger than memory can be")
    }
    guard bytes >= 0 else {
      throw Refusal(.tooBig, "options.limit_bytes", "is larger than memory can be")
    }
  }
}

extension Filter {
  /// Makes a filter of a list of types, each once, in ascending order. Takes over the list.
  fileprivate init(sorting list: UnsafeMutablePointer<UInt32>, count: Int) {
    Filter.sort(list, count)
    var kept = 0
    var index = 0
    while index < count {
      if kept == 0 || list[kept &- 1] != list[index] {
        list[kept] = list[index]
        kept &+= 1
      }
      index &+= 1
    }
    if kept > 1 {
      self = .several(list, count: kept)
    } else {
      self = kept == 1 ? .one(list[0]) : .nothing
      Memory.free(list)
    }
  }

  /// Sorts with a heap, because Swift's own sort would make up an eightieth of the library.
  private static func sort(_ list: UnsafeMutablePointer<UInt32>, _ count: Int) {
    var root = count / 2
    var end = count
    while end > 1 {
      if root > 0 {
        root &-= 1
      } else {
        end &-= 1
        swap(list, 0, end)
      }
      sink(root, in: list, end)
    }
  }

  /// Sifts a number down the heap until no number below it is greater.
  private static func sink(_ number: Int, in list: UnsafeMutablePointer<UInt32>, _ end: Int) {
    var parent = number
    while true {
      var child = parent &* 2 &+ 1
      guard child < end else { return }
      if child &+ 1 < end, list[child] < list[child &+ 1] { child &+= 1 }
      guard list[parent] < list[child] else { return }
      swap(list, parent, child)
      parent = child
    }
  }

  private static func swap(_ list: UnsafeMutablePointer<UInt32>, _ one: Int, _ other: Int) {
    (list[one], list[other]) = (list[other], list[one])
  }
}

extension ResolvedHandle {
  /// Returns a type number if it is registered.
  func known(_ type: UInt32) throws(Refusal) -> UInt32 {
    guard contract(of: type).bits != 0 else { throw .noType(type) }
    return type
  }

  /// Returns a type number if it is registered and this handle may observe it.
  func observable(_ type: UInt32) throws(Refusal) -> UInt32 {
    let known = try known(type)
    try demand(.observe, of: known)
    return known
  }

  /// A type's contract; no bits if there is no such type.
  func contract(of type: UInt32) -> Contract {
    stream.contract(of: type)
  }
}
