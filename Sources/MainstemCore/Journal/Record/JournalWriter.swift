// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// Turns events into a journal's records, with the digest and the names they need. Belongs to the deliverer.
package struct JournalWriter {
  package var records: RecordBuilder
  /// The recorder's file, for the deliverer, which needs no lock to use it.
  package var file: OutputFile?
  /// The number in the file's header.
  package var number: UInt64 = 1
  /// The length of this file at which the next one is due; 0: never.
  package var turn: UInt64 = 0
  package var digest = Digest()
  package var known = KnownNames()
  package var lists = RecordedLists()
  /// The last position that has a record, or was skipped.
  package var last: UInt64 = 0
  /// The number of events since the last recorded digest.
  private var undigested: UInt64 = 0
  /// The number of undigested events at which something else is recorded before the next event.
  private var pause = RecordFormat.digestPeriod
  /// The number of positions up to `last` that are not kept and not yet recorded as skipped.
  private var skipped: UInt64 = 0
  /// The event whose callbacks sent them; 0: they are inputs.
  private var skippedCause: UInt64 = 0
  /// How many read points the callbacks of an event have had.
  private var readPoints = CallbackCount()
  /// Counts all of them, those of what looks too.
  private var questions = CallbackCount()
  private var isClosing = false
  /// The number of writes since the file was last checked for changes.
  private var unchecked = 0
  /// The last refusal to callbacks, not recorded yet because more like it may follow.
  private var refused: Refused?

  package init(_ records: RecordBuilder) { self.records = records }

  /// Whether the next event still fits into this batch.
  package func fits(_ event: UnsafePointer<mainstem_event>) -> Bool {
    records.fits(Int(event.pointee.size))
  }

  /// Whether it is time to check the file again. Asking the system costs as much as half a write.
  package var isCheckDue: Bool {
    mutating get {
      unchecked = (unchecked &+ 1) & 15
      return unchecked == 0
    }
  }

  /// Adds the record of the next event, which must fit.
  @_optimize(speed)
  @inline(never)
  package mutating func add(_ event: UnsafePointer<mainstem_event>, _ stream: Stream) {
    let said = prepare(event, stream)
    switch said.mode {
    case .full: records.add(event, origin: said.origin)
    case .mark: addMark(event, said, stream)
    case .secret: records.addMark(event, MAINSTEM_EVENT_WITHHELD, origin: said.origin)
    case .inputs:
      if said.mode.keepsAll(of: event.pointee.flags) {
        records.add(event, origin: said.origin)
      } else {
        addMark(event, said, stream, Digest(ofPayload: event))
      }
    case .none: skip(event)
    }
    countEvent(event, said)
  }

  /// Adds a mark. That of a value says whose it is, so that a muted replay knows which one it does not know any longer.
  private mutating func addMark(
    _ event: UnsafePointer<mainstem_event>, _ said: KnownNames.Said, _ stream: Stream,
    _ digest: Digest? = nil
  ) {
    let isValue = stream.contract(of: event.pointee.type).isValue
    records.addMark(
      event, MAINSTEM_EVENT_MARKED, digest, origin: isValue ? said.origin : 0)
  }

  /// Adds the names that an event needs, after a record of what was skipped before it.
  @inline(__always)
  package mutating func prepare(
    _ event: UnsafePointer<mainstem_event>, _ stream: Stream
  ) -> KnownNames.Said {
    if undigested >= pause { endPause(event.pointee.time) }
    let said = known.find(event.pointee.type, event.pointee.origin) ?? addNames(event, stream)
    if said.mode != .none, skipped > 0 { endSkipping(event.pointee.time) }
    return said
  }

  @inline(never)
  private mutating func endPause(_ time: Int64) {
    endRefusal(time)
    if undigested >= RecordFormat.digestPeriod { addDigest(time) }
  }

  /// Counts an event whose record was added.
  @inline(__always)
  package mutating func countEvent(
    _ event: UnsafePointer<mainstem_event>, _ said: KnownNames.Said
  ) {
    if said.mode != .none, said.mode != .secret { digest.take(event, origin: said.name) }
    if event.pointee.isOfList {
      lists.note(event, isWhole: said.mode.keepsAll(of: event.pointee.flags))
    }
    last = event.pointee.position
    undigested &+= 1
  }

  /// Ends a batch.
  package mutating func endBatch(_ time: Int64) {
    if skipped > 0 { endSkipping(time) }
    if undigested >= RecordFormat.digestPeriod { addDigest(time) }
  }

  private mutating func addDigest(_ time: Int64) {
    if skipped > 0 { endSkipping(time) }
    let bits = digest.bits
    records.add(RecordFormat.Kind.digest, at: last, time: time) { $0.add(bits) }
    undigested = 0
  }

  /// Leaves an event out. One record covers events sent by callbacks of the same event, or inputs.
  private mutating func skip(_ event: UnsafePointer<mainstem_event>) {
    let cause = event.pointee.isInput ? 0 : event.pointee.cause
    if skipped > 0, cause != skippedCause { endSkipping(event.pointee.time) }
    skippedCause = cause
    skipped &+= 1
  }

  private mutating func endSkipping(_ time: Int64) {
    let (first, last, cause) = (last &- skipped &+ 1, last, skippedCause)
    records.add(RecordFormat.Kind.skipped, at: last, time: time) { payload in
      payload.add(first)
      payload.add(last)
      payload.add(cause)
    }
    skipped = 0
  }
}

/// What callbacks knew.
extension JournalWriter {
  /// Whether a record of what a callback knew still fits.
  package var fitsNote: Bool { records.fits(48) }

  /// Adds a read point of a callback, unless nothing after its own event had been accepted.
  ///
  /// - Parameter given: Its number; 0: it is counted.
  package mutating func addReadPoint(
    of event: UInt64, _ given: UInt64, _ accepted: UInt64, _ time: Int64
  ) {
    _ = questions.next(of: event)
    let number = given != 0 ? given : readPoints.next(of: event)
    let event = event & ~CallbackCount.late
    guard accepted != event else { return }
    endRefusal(time)
    records.add(RecordFormat.Kind.readPoint, at: last, time: time) { payload in
      payload.add(event)
      payload.add(number)
      payload.add(accepted)
    }
  }

  /// Adds, once, that a callback of an event was the first to find the context closing.
  ///
  /// - Parameters:
  ///   - accepted: The last position accepted.
  ///   - delivered: The last position that has been delivered, or is being delivered.
  package mutating func addClosing(
    at event: UInt64, _ accepted: UInt64, delivered: UInt64, _ time: Int64
  ) {
    guard !isClosing else { return }
    isClosing = true
    endRefusal(time)
    let number = questions.last(of: event)
    let event = event & ~CallbackCount.late
    records.add(RecordFormat.Kind.closing, at: last, time: time) { payload in
      payload.add(event)
      payload.add(number)
      payload.add(accepted)
      payload.add(delivered)
    }
  }
}

/// What was answered early.
extension JournalWriter {
  /// Adds that a callback may have found a request answered whose answer was not taken in.
  package mutating func addAnswered(_ answered: AnsweredEarly, _ time: Int64) {
    endRefusal(time)
    records.add(RecordFormat.Kind.answered, at: last, time: time) { payload in
      payload.add(answered.event)
      payload.add(answered.request)
      payload.add(answered.accepted)
    }
  }
}

/// What a host has ended.
extension JournalWriter {
  /// Adds how much had been delivered when a host ended scopes.
  package mutating func addEnded(_ ended: Ended, _ time: Int64) {
    endRefusal(time)
    records.add(RecordFormat.Kind.ended, at: last, time: time) { payload in
      payload.add(ended.first)
      payload.add(ended.last)
      payload.add(ended.delivered)
      payload.add(ended.unheardBy)
    }
  }
}

/// Refusals to callbacks.
extension JournalWriter {
  /// Adds a refusal to a callback, merged with the one directly before it if that has the same event and reason.
  package mutating func addRefusal(_ refusal: Refused, _ time: Int64) {
    guard refused?.add(refusal) != true else { return }
    endRefusal(time)
    refused = refusal
    pause = 0
  }

  /// Records the refusals that are not recorded yet.
  package mutating func endRefusal(_ time: Int64) {
    guard let refusal = refused else { return }
    refused = nil
    pause = RecordFormat.digestPeriod
    let kind =
      refusal.event == 0 ? RecordFormat.Kind.refusedShow : RecordFormat.Kind.refused
    records.add(kind, at: last, time: time) { payload in
      payload.add(refusal.event)
      payload.add(refusal.number)
      payload.add(refusal.count)
      payload.add(refusal.accepted)
      payload.add(UInt32(bitPattern: refusal.status))
      payload.add(refusal.lack)
    }
  }
}

/// Names, recorded once in each file.
extension JournalWriter {
  /// Adds the names of a type and an origin, unless the file has them.
  mutating func name(_ type: UInt32, _ origin: UInt32, _ stream: Stream) -> KnownNames.Said {
    var event = mainstem_event()
    (event.type, event.origin, event.time) = (type, origin, stream.time)
    return known.find(type, origin) ?? addNames(&event, stream)
  }

  @inline(never)
  private mutating func addNames(
    _ event: UnsafePointer<mainstem_event>, _ stream: Stream
  ) -> KnownNames.Said {
    let mode = known.mode(of: event.pointee.type) ?? addType(event, stream)
    let origin = known.entry(ofOrigin: event.pointee.origin) ?? addOrigin(event, stream)
    return KnownNames.Said(mode: mode, origin: origin.number, name: origin.digest)
  }

  private mutating func addType(
    _ event: UnsafePointer<mainstem_event>, _ stream: Stream
  ) -> RecordMode {
    let (type, time) = (event.pointee.type, event.pointee.time)
    let contract = stream.contract(of: type)
    let mode = RecordMode(contract)
    if mode != .none { addLayer(contract.layer, time, stream) }
    let last = last
    // A registered name never moves; only its response may still be added.
    stream.locked {
      guard let entry = stream.state.pointee.types[type], mode != .none else { return }
      records.add(RecordFormat.Kind.type, at: last, time: time) { payload in
        payload.add(type)
        payload.add(UInt32(0))
        payload.add(contract.bits)
        payload.add(entry.name.bytes)
        payload.addZero()
        if let response = entry.responseName { payload.add(response.bytes) }
        payload.addZero()
      }
    }
    known.add(type: type, mode)
    return mode
  }

  private mutating func addLayer(_ layer: UInt32, _ time: Int64, _ stream: Stream) {
    guard !known.has(layer: layer) else { return }
    let last = last
    stream.locked {
      let name = stream.state.pointee.layers.name(of: layer)
      records.add(RecordFormat.Kind.layer, at: last, time: time) { payload in
        payload.add(layer)
        payload.add(name)
      }
    }
    known.add(layer: layer)
  }

  private mutating func addOrigin(
    _ event: UnsafePointer<mainstem_event>, _ stream: Stream
  ) -> RecordedOrigins.Entry {
    let (origin, last, time) = (event.pointee.origin, last, event.pointee.time)
    return stream.locked {
      let described = stream.state.pointee.scopes.describe(origin)
      let (name, scope, parent) = described ?? (Bytes("?"), 0, 0)
      let entry = known.add(origin: origin, Digest(ofName: name.start, name.count))
      records.add(RecordFormat.Kind.origin, at: last, time: time) { payload in
        payload.add(
          OriginRecord(number: entry.number, scope: scope, parent: parent, name: name))
      }
      return entry
    }
  }
}

/// The origins whose names a file has, each with its number there and the digest of its name. A number is reused in the
/// file when its origin is forgotten.
struct RecordedOrigins {
  struct Entry: HashTableEntry {
    var origin: UInt32 = 0
    var number: UInt32 = 0
    var digest = Digest()

    var isFree: Bool { origin == 0 }
    var key: UInt32 { origin }
    static func hash(_ origin: UInt32) -> UInt64 { Hash.counted(origin) }
  }

  private var table = HashTable<Entry>()
  private var lastNumber: UInt32 = 0
  /// Numbers that are free again.
  private var free: UnsafeMutablePointer<UInt32>?
  private var freeCount = 0
  private var freeCapacity = 0

  init() {}

  /// What was recorded of an origin; nil if nothing was.
  func find(_ origin: UInt32) -> Entry? { table.find(origin)?.pointee }

  /// Numbers an origin. Without memory the number is not remembered, and the origin is recorded again under another.
  mutating func add(_ origin: UInt32, _ digest: Digest) -> Entry {
    var new = Entry(origin: origin, number: 0, digest: digest)
    if freeCount > 0, let free {
      freeCount &-= 1
      new.number = free[freeCount]
    } else {
      lastNumber &+= 1
      new.number = lastNumber
    }
    if table.reserve() { table.insert(new) }
    return new
  }

  /// Forgets an origin that will not come again. Without memory its number is not reused.
  mutating func forget(_ origin: UInt32) {
    guard let entry = find(origin) else { return }
    if reserveFree(), let free {
      free[freeCount] = entry.number
      freeCount &+= 1
    }
    table.remove(origin)
  }

  /// Forgets everything, for the next file.
  mutating func clear() {
    table.clear()
    (freeCount, lastNumber) = (0, 0)
  }

  mutating func freeMemory() {
    table.free()
    Memory.free(free)
    self = RecordedOrigins()
  }

  private mutating func reserveFree() -> Bool {
    guard freeCount == freeCapacity else { return true }
    let wider = max(16, freeCapacity &* 2)
    guard let fresh = Memory.allocate(UInt32.self, count: wider) else { return false }
    if let free { fresh.update(from: free, count: freeCount) }
    Memory.free(free)
    (free, freeCapacity) = (fresh, wider)
    return true
  }
}
