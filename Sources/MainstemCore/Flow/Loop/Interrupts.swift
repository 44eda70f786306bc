// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// What signal handlers hand over: a ring of fixed places, filled without a lock or an allocation.
///
/// The turn of a place says whose it is: the writer's if it equals the number that the writer drew, the reader's if it
/// is one more. A handler that interrupts another between drawing and filling draws the next number; the reader waits
/// for the first, and never for long. The ring's memory is never freed, so a handler that comes too late finds the ring
/// closed, not gone.
struct InterruptRing: ~Copyable {
  /// The next number to read. Under the stream's lock. First, for the reason given at `StreamState`.
  private var head: UInt64 = 0
  /// The next number to fill.
  private let tail = Atomic<UInt64>(0)
  /// How many handlers are inside.
  private let inside = Atomic<UInt32>(0)
  private let isOpen = Atomic<Bool>(false)
  /// The host has been told, or a drain is running.
  private let isRung = Atomic<Bool>(false)
  private let descriptor = Atomic<Int32>(-1)
  private let places: UnsafeMutablePointer<Place>
  private let payloads: UnsafeMutableRawPointer

  typealias Pointer = UnsafeMutablePointer<InterruptRing>

  static var capacity: UInt64 { 256 }
  static var largestPayload: Int { Int(MAINSTEM_INTERRUPT_PAYLOAD) }

  /// Everything about an event in the ring except its payload.
  struct Note {
    let type: UInt32
    let origin: UInt32
    let size: Int

    init(type: UInt32, origin: UInt32, size: Int) {
      self.type = type
      self.origin = origin
      self.size = size
    }
  }

  private struct Place: ~Copyable {
    var note: Note
    let turn: Atomic<UInt64>
  }

  static func make() -> Pointer? {
    let count = Int(capacity)
    guard let ring = Memory.allocateAligned(InterruptRing.self) else { return nil }
    guard let places = Memory.allocate(Place.self, count: count) else {
      Memory.free(ring)
      return nil
    }
    guard let payloads = Memory.allocate(UInt64.self, count: count &* largestPayload / 8) else {
      Memory.free(places)
      Memory.free(ring)
      return nil
    }
    var index = 0
    while index < count {
      (places + index).initialize(
        to: Place(note: Note(type: 0, origin: 0, size: 0), turn: Atomic(UInt64(index))))
      index &+= 1
    }
    ring.initialize(to: InterruptRing(places, payloads))
    return ring
  }

  private init(_ places: UnsafeMutablePointer<Place>, _ payloads: UnsafeMutableRawPointer) {
    self.places = places
    self.payloads = payloads
  }
}

/// The handlers' side: nothing here locks, allocates or calls anything but write.
extension InterruptRing {
  /// Runs `body` unless the ring is closed; closing waits while it runs. False: the ring is closed.
  func enter(_ body: () throws(Refusal) -> Void) throws(Refusal) -> Bool {
    inside.wrappingAdd(1, ordering: .sequentiallyConsistent)
    defer { inside.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
    guard isOpen.load(ordering: .sequentiallyConsistent) else { return false }
    try body()
    return true
  }

  /// Puts an event in the ring; false if there is no room.
  func put(_ note: Note, _ data: UnsafeRawPointer?) -> Bool {
    guard let number = draw() else { return false }
    let place = Int(truncatingIfNeeded: number % InterruptRing.capacity)
    places[place].note = note
    if let data, note.size > 0 {
      // The payload may be a secret; finding out would cost more.
      mainstem_p_copy_secret(payload(place), data, note.size)
    }
    places[place].turn.store(number &+ 1, ordering: .releasing)
    return true
  }

  /// Tells the host, unless it has been told.
  func ring() {
    guard !isRung.exchange(true, ordering: .acquiringAndReleasing) else { return }
    mainstem_p_wake_interrupt(descriptor.load(ordering: .relaxed))
  }

  private func draw() -> UInt64? {
    var number = tail.load(ordering: .relaxed)
    while true {
      let place = Int(truncatingIfNeeded: number % InterruptRing.capacity)
      let turn = places[place].turn.load(ordering: .acquiring)
      if turn == number {
        let (isOurs, now) = tail.compareExchange(
          expected: number, desired: number &+ 1, ordering: .relaxed)
        if isOurs { return number }
        number = now
      } else if turn < number {
        return nil
      } else {
        number = tail.load(ordering: .relaxed)
      }
    }
  }

  private func payload(_ place: Int) -> UnsafeMutableRawPointer {
    payloads + place &* InterruptRing.largestPayload
  }
}

/// The stream's side. Under its lock.
extension InterruptRing {
  var isEmpty: Bool {
    let place = Int(truncatingIfNeeded: head % InterruptRing.capacity)
    return places[place].turn.load(ordering: .acquiring) != head &+ 1
  }

  /// Whether the ring is empty and no handler is about to put something in.
  var isQuiet: Bool { inside.load(ordering: .sequentiallyConsistent) == 0 && isEmpty }

  var count: Int { Int(truncatingIfNeeded: tail.load(ordering: .relaxed) &- head) }

  /// The first event, which stays in the ring; nil if there is none.
  var first: (note: Note, payload: UnsafeRawPointer)? {
    guard !isEmpty else { return nil }
    let place = Int(truncatingIfNeeded: head % InterruptRing.capacity)
    return (places[place].note, UnsafeRawPointer(payload(place)))
  }

  /// How many events are in the ring, and their bytes.
  var load: (count: Int, bytes: Int) {
    var load = (count: 0, bytes: 0)
    var number = head
    while true {
      let place = Int(truncatingIfNeeded: number % InterruptRing.capacity)
      guard places[place].turn.load(ordering: .acquiring) == number &+ 1 else { return load }
      load.count &+= 1
      load.bytes &+= places[place].note.size
      number &+= 1
    }
  }

  /// Removes the first event and wipes its payload, which may have been a secret.
  mutating func removeFirst() {
    let place = Int(truncatingIfNeeded: head % InterruptRing.capacity)
    mainstem_p_wipe(payload(place), places[place].note.size)
    places[place].turn.store(head &+ InterruptRing.capacity, ordering: .releasing)
    head &+= 1
  }

  /// Lets handlers in. They tell the host through `descriptor`.
  mutating func open(_ descriptor: Int32) {
    while !isEmpty { removeFirst() }
    self.descriptor.store(descriptor, ordering: .relaxed)
    isRung.store(false, ordering: .relaxed)
    isOpen.store(true, ordering: .sequentiallyConsistent)
  }

  /// Lets no more handlers in, and returns when all are out.
  func close() {
    isOpen.store(false, ordering: .sequentiallyConsistent)
    while inside.load(ordering: .sequentiallyConsistent) > 0 { mainstem_p_yield() }
  }

  /// A drain is running: it will look.
  func quiet() { isRung.store(true, ordering: .relaxed) }

  /// The descriptor was cleared: tells the host again if something has come meanwhile.
  func rearm() {
    _ = isRung.exchange(false, ordering: .acquiringAndReleasing)
    if !isEmpty { ring() }
  }
}

extension Refusal {
  static var unprepared: Refusal {
    Refusal(.unsupported, "context", "was created without MAINSTEM_CONTEXT_INTERRUPTS")
  }
}

/// What signal handlers hand over: see `InterruptRing`.
extension Stream {
  /// Makes the ring of a new context, and lets signal handlers post.
  package static func openInterrupts(of handle: Handle) throws(Refusal) {
    let resolved = try ResolvedHandle.own(handle)
    let state = resolved.stream.state
    try resolved.locked { () throws(Refusal) in
      guard let ring = state.pointee.loop.interrupts ?? InterruptRing.make() else {
        throw .noMemory
      }
      state.pointee.loop.keep(ring)
      guard let descriptor = state.pointee.loop.wake.openEvent() else {
        throw Refusal(.limit, "options.flags", "out of file descriptors")
      }
      ring.pointee.open(descriptor)
      state.pointee.loop.wake.watch(ring)
    }
  }

  /// Posts from a signal handler: no lock, no allocation, no message.
  package static func postFromInterrupt(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    let resolved = try ResolvedHandle(handle, .context)
    let stream = resolved.stream
    guard let ring = stream.state.pointee.loop.interrupts else { throw resolved.notOpen }
    let isOpen = try ring.pointee.enter { () throws(Refusal) in
      // Checked inside the ring: if the memory serves another context by now, this handle has ended.
      guard resolved.isLive, !stream.isClosed else { throw .ended }
      guard !stream.isFed else { throw .replays }
      guard !resolved.isLimited else {
        stream.state.pointee.scopes.countDenial()
        throw Refusal(.denied, "context", "has limited rights: checking them takes a lock")
      }
      guard size >= 0, size <= InterruptRing.largestPayload else {
        throw Refusal(.tooBig, "size", "is over 48 bytes")
      }
      let contract = stream.contract(of: type)
      guard contract.bits != 0 else { throw .noType(type) }
      guard stream.state.pointee.admissions.allows(size), contract.admits(data, size) else {
        // No message is written here, and a name would need the lock.
        throw Refusal(
          stream.state.pointee.admissions.allows(size) ? .invalid : .tooBig, "size",
          "breaks the contract")
      }
      let note = InterruptRing.Note(type: type, origin: resolved.origin, size: size)
      guard ring.pointee.put(note, data) else {
        stream.countRejection()
        throw Refusal(.full, "context", "already has 256 events from signal handlers waiting")
      }
      ring.pointee.ring()
    }
    guard isOpen else { throw resolved.notOpen }
  }

  /// Moves what signal handlers handed over to the inbox, behind earlier posts. Events for which there is no memory or
  /// no room stay in the ring. True: signal after unlocking. Under the lock.
  ///
  /// - Parameter post: The event that comes in behind them; its room is kept.
  func absorbInterrupts(before post: QueuedEvent.Pointer? = nil) -> Bool {
    guard let ring = state.pointee.loop.openInterrupts else { return false }
    let (events, bytes) = post.map { (1, Int($0.pointee.event.size)) } ?? (0, 0)
    var tells = false
    while let (note, payload) = ring.pointee.first {
      var draft = Draft(type: note.type, data: payload, size: note.size, origin: note.origin)
      draft.flags = contract(of: note.type).flags
      let load = (state.pointee.loop.inbox.count &+ events, state.pointee.loop.inbox.bytes &+ bytes)
      // An event without room waits where it is; it is not refused.
      guard hasRoom(forInterrupt: note.size, inInboxWith: load),
        let queued = QueuedEvent.make(copying: &draft)
      else { break }
      queued.pointee.event = draft.event(at: 0, cause: 0, chain: 0, time: 0, isOutside: true)
      ring.pointee.removeFirst()
      state.pointee.loop.inbox.append(queued)
      if state.pointee.loop.wake.arrive() { tells = true }
    }
    return tells
  }

  /// Marks the origins that posts name, with those of signal handlers. Under the lock.
  ///
  /// - Parameter tells: Becomes true if the caller must signal after unlocking.
  /// - Returns: How many posts there are; nil if a signal handler may be about to post through a scope that existed when
  ///   the handler checked.
  package func markOriginsOfPosts(_ tells: inout Bool) -> Int? {
    if absorbInterrupts() { tells = true }
    guard state.pointee.loop.interrupts?.pointee.isQuiet ?? true else { return nil }
    return state.pointee.loop.inbox.each { markOrigin(of: $0) }
  }
}

extension ResolvedHandle {
  /// Why signal handlers may not post: the context has ended or is closing, or was never prepared.
  fileprivate var notOpen: Refusal { isLive && !stream.isClosed ? .unprepared : .ended }
}
