// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
package import Synchronization

/// What a handle names.
package enum Kind: UInt8 {
  case none = 0
  case context = 1
  case subscription = 2
  case retained = 3
  /// A request that is still open; when its answer is accepted, the slot becomes `answered`.
  case request = 4
  case answered = 5
  case timer = 6
  /// A journal that is being read; it belongs to no stream.
  case journal = 7
  case replay = 8
  /// An observer of the library itself: no call takes its handle, so a host that hits it by a bit turned over ends
  /// nothing that the library counts on.
  case inner = 9
  case binding = 10
  /// A router; it belongs to no stream. Nor does what it finds.
  case router = 11
  case match = 12
  /// A query; it belongs to no stream.
  case query = 13
  /// Resources, and bytes of theirs, which belong to no stream either: they are found on any thread.
  case resources = 14
  case resource = 15
  /// The context itself, as opposed to a scope, which may end before it does: a context for every call.
  case root = 0x41
  /// A scope with limited rights: a context for every call except those made at once.
  case limitedContext = 0x81
}

extension Kind {
  /// The bit that marks the stricter form of a kind.
  package static var limited: UInt8 { 0x80 }

  /// The bits that tell the forms of a kind apart.
  private static var forms: UInt8 { 0xC0 }

  /// Whether a slot's key is of a kind, in any of its forms.
  @inline(__always)
  package func fits(_ key: UInt64) -> Bool {
    UInt8(truncatingIfNeeded: key) & ~Kind.forms == rawValue
  }

  /// What a slot's key is of, in words.
  package static func name(of key: UInt64) -> Phrase {
    switch Kind(rawValue: UInt8(truncatingIfNeeded: key) & ~forms) {
    case .context: "a context"
    case .subscription: "a subscription"
    case .retained: "a retained event"
    case .request, .answered: "a pending request"
    case .timer: "a timer"
    case .journal: "a journal"
    case .replay: "a replay"
    case .binding: "a binding"
    case .router: "a router"
    case .match: "a match"
    case .query: "a query"
    case .resources: "resources"
    case .resource: "a resource"
    default: "another handle"
    }
  }
}

/// What the host holds: slot, kind and generation in one number, masked by the process's salt.
///
/// It is looked up, never dereferenced, so every wrong value gets a status.
package struct Handle: Equatable {
  package let bits: UInt64

  package init(bits: UInt64) { self.bits = bits }

  package static var none: Handle { Handle(bits: 0) }

  package var pointer: OpaquePointer? { OpaquePointer(bitPattern: UInt(bits)) }
}

/// The slot of one handle. Slots live in chunks that never move or go away, so a stale handle can be looked up at any
/// time; the generation shows that it is stale.
package struct Slot: ~Copyable {
  /// The generation (32 bits) and, in the low byte, the kind.
  package let state: Atomic<UInt64>
  /// The address of the stream that the object belongs to, plus one if the handle is not a context's: a send tests the
  /// kind and the address in one.
  package let home: Atomic<UInt>
  /// For a context or scope: the origin given to what is sent through it. In a list of free slots: the index of the
  /// next one + 1.
  package let origin: Atomic<UInt32>
  fileprivate let index: UInt32
  /// The object; read under the stream's lock, or by the only thread that may.
  package var object: UnsafeMutableRawPointer?

  fileprivate init(index: UInt32) {
    state = Atomic(1 << 8)
    home = Atomic(Slot.notContext)
    origin = Atomic(0)
    object = nil
    self.index = index
  }

  package typealias Pointer = UnsafeMutablePointer<Slot>

  /// In `origin` of a request: a step of its progress is about to get its place.
  package static var stepIsGiven: UInt32 { 1 }
  /// In `origin` of a request: its answer is in the inbox.
  package static var answerIsHandedOver: UInt32 { 2 }
  /// In `origin` of a request: that it is given up is in the inbox.
  package static var cancelIsHandedOver: UInt32 { 3 }
  /// In `origin` of a request: its answer is yet to be fed, but a callback of the recorded session found it answered.
  package static var answerIsFed: UInt32 { 4 }
  /// In `origin` of a request, besides the others: the journal says so.
  package static var isNoted: UInt32 { 8 }

  fileprivate static var notContext: UInt { 1 }

  /// The stream's address, whatever the handle is; 0: the slot was never used.
  @inline(__always)
  package var stream: UInt { home.load(ordering: .relaxed) & ~Slot.notContext }

  /// The stream's address if the handle is a context's; never 0.
  @inline(__always)
  package var streamOfContext: UInt? {
    let address = home.load(ordering: .relaxed)
    return address & Slot.notContext == 0 ? address : nil
  }
}

extension Slot {
  private static var perChunk: UInt32 { 4096 }

  /// The slot that a handle names, whatever lives there now.
  @inline(__always)
  package static func find(_ handle: Handle) -> (slot: Pointer, key: UInt64)? {
    let plain = handle.bits ^ mainstem_p_handle_salt()
    let index = UInt32(truncatingIfNeeded: plain) & 0xFF_FFFF
    guard let chunk = mainstem_p_chunk(index >> 12) else { return nil }
    let slots = chunk.assumingMemoryBound(to: Slot.self)
    return (slots + Int(index & 0xFFF), plain >> 24)
  }

  /// The handle of what lives in a slot, by its key.
  @inline(__always)
  package static func handle(of slot: Pointer, _ key: UInt64) -> Handle {
    Handle(bits: (key << 24 | UInt64(slot.pointee.index)) ^ mainstem_p_handle_salt())
  }

  /// Whether a handle was made in the parent, before a fork.
  package static func isOfParent(_ handle: Handle) -> Bool {
    let plain = handle.bits ^ mainstem_p_parent_salt()
    let index = UInt32(truncatingIfNeeded: plain) & 0xFF_FFFF
    guard let chunk = mainstem_p_parent_chunk(index >> 12) else { return false }
    let slot = chunk.assumingMemoryBound(to: Slot.self) + Int(index & 0xFFF)
    return slot.pointee.state.load(ordering: .relaxed) == plain >> 24
  }

  package static func at(_ index: UInt32) -> Pointer? {
    guard let chunk = mainstem_p_chunk(index >> 12) else { return nil }
    return chunk.assumingMemoryBound(to: Slot.self) + Int(index & 0xFFF)
  }

  /// Takes a slot from the process's list, or a fresh one; nil at the limit or out of memory.
  fileprivate static func takeFromProcess() -> Pointer? {
    mainstem_p_handles_lock()
    defer { mainstem_p_handles_unlock() }
    mainstem_p_handle_salt_draw()
    let all = mainstem_p_handles()!
    if all.pointee.free_slot != 0, let slot = at(all.pointee.free_slot &- 1) {
      all.pointee.free_slot = slot.pointee.origin.load(ordering: .relaxed)
      return slot
    }
    let index = all.pointee.used_slots
    guard index < UInt32(MAINSTEM_P_CHUNKS) &* perChunk else { return nil }
    if index % perChunk == 0 {
      guard let chunk = Memory.allocateAligned(Slot.self, count: Int(perChunk)) else { return nil }
      var offset: UInt32 = 0
      while offset < perChunk {
        (chunk + Int(offset)).initialize(to: Slot(index: index &+ offset))
        offset &+= 1
      }
      mainstem_p_chunk_publish(index / perChunk, chunk)
    }
    all.pointee.used_slots = index &+ 1
    return at(index)
  }

  fileprivate static func giveToProcess(_ slot: Pointer) {
    mainstem_p_handles_lock()
    slot.pointee.origin.store(mainstem_p_handles().pointee.free_slot, ordering: .releasing)
    mainstem_p_handles().pointee.free_slot = slot.pointee.index &+ 1
    mainstem_p_handles_unlock()
  }
}

/// A stream's own free slots, so that most handles cost no lock besides the stream's. Under the stream's lock.
///
/// Not a `FreeList`: any thread may look up a stale handle in a free slot, so the link is an index in an atomic field, and
/// a slot is never freed; beyond the limit it returns to the process.
package struct FreeSlots {
  private var first: UInt32 = 0
  private var count = 0

  package init() {}

  /// Makes a handle for an object; nil at the limit of handles, or out of memory.
  @inline(__always)
  package mutating func make(
    _ kind: Kind, stream: UInt, object: UnsafeMutableRawPointer?, origin: UInt32 = 0
  ) -> (slot: Slot.Pointer, handle: Handle)? {
    guard let slot = take() else { return nil }
    return make(kind, in: slot, stream: stream, object: object, origin: origin)
  }

  /// Like `make`, of its own slots only; nil if there is none.
  @inline(__always)
  package mutating func makeOwn(
    _ kind: Kind, stream: UInt, object: UnsafeMutableRawPointer?
  ) -> (slot: Slot.Pointer, handle: Handle)? {
    guard let slot = takeOwn() else { return nil }
    return make(kind, in: slot, stream: stream, object: object, origin: 0)
  }

  @inline(__always)
  private func make(
    _ kind: Kind, in slot: Slot.Pointer, stream: UInt, object: UnsafeMutableRawPointer?,
    origin: UInt32
  ) -> (slot: Slot.Pointer, handle: Handle) {
    let home = kind == .context || kind == .root ? stream : stream | Slot.notContext
    slot.pointee.home.store(home, ordering: .relaxed)
    slot.pointee.origin.store(origin, ordering: .relaxed)
    slot.pointee.object = object
    let key = slot.pointee.state.load(ordering: .relaxed) | UInt64(kind.rawValue)
    slot.pointee.state.store(key, ordering: .releasing)
    return (slot, Slot.handle(of: slot, key))
  }

  /// Ends a handle: from here on it is stale forever.
  package mutating func end(_ slot: Slot.Pointer) {
    let generation = slot.pointee.state.load(ordering: .relaxed) >> 8
    slot.pointee.state.store((generation &+ 1) << 8, ordering: .releasing)
    slot.pointee.object = nil
    // A slot whose generations are used up is never reused.
    guard generation < 0xFFFF_FFFE else { return }
    guard count < 64 else { return Slot.giveToProcess(slot) }
    slot.pointee.origin.store(first, ordering: .releasing)
    first = slot.pointee.index &+ 1
    count &+= 1
  }

  /// Gives all slots back, when the stream is closed.
  package mutating func empty() {
    while let slot = takeOwn() { Slot.giveToProcess(slot) }
  }

  private mutating func take() -> Slot.Pointer? {
    takeOwn() ?? Slot.takeFromProcess()
  }

  @inline(__always)
  private mutating func takeOwn() -> Slot.Pointer? {
    guard first != 0, let slot = Slot.at(first &- 1) else { return nil }
    first = slot.pointee.origin.load(ordering: .relaxed)
    count &-= 1
    return slot
  }
}
