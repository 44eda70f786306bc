// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// What becomes of an event in a journal: records, the digest, the names it needs. The holder's own.
package struct JournalWriter {
  package var records: RecordBuilder
  /// The recorder's, for who needs no lock.
  package var file: OutputFile?
  /// The number in the header of the file.
  package var number: UInt64 = 1
  /// At which length of the file it is time for the next; 0: never.
  package var turn: UInt64 = 0
  package var digest = Digest()
  package var known = KnownNames()
  /// The last position that has a record, or was skipped.
  package var last: UInt64 = 0
  /// Events since the last digest was recorded.
  private var undigested: UInt64 = 0
  /// Positions that are not kept, and not said to be yet: how many, up to `last`.
  private var skipped: UInt64 = 0
  /// How often callbacks of an event have asked what was accepted.
  private var horizons = HorizonCount()
  private var isClosing = false

  package init(_ records: RecordBuilder) { self.records = records }

  /// Whether the next event still belongs to the same batch.
  package func fits(_ event: UnsafePointer<mainstem_event>) -> Bool {
    records.fits(Int(event.pointee.size))
  }

  /// Adds the record of the next event, for which there is room.
  @inline(never)
  package mutating func add(_ event: UnsafePointer<mainstem_event>, _ stream: Stream) {
    let (mode, origin) = prepare(event, stream)
    switch mode {
    case .full: records.add(event)
    case .mark: records.addMark(event, MAINSTEM_EVENT_MARKED)
    case .secret: records.addMark(event, MAINSTEM_EVENT_WITHHELD)
    case .none: skipped &+= 1
    }
    note(event, mode, origin)
  }

  /// Says the names that an event needs, and what was skipped before it.
  @inline(__always)
  package mutating func prepare(
    _ event: UnsafePointer<mainstem_event>, _ stream: Stream
  ) -> (RecordMode, Digest) {
    if undigested >= RecordFormat.digestPeriod { addDigest(event.pointee.time) }
    let (mode, origin) =
      known.find(event.pointee.type, event.pointee.origin) ?? addNames(event, stream)
    if mode != .none, skipped > 0 { endSkipping(event.pointee.time) }
    return (mode, origin)
  }

  /// Counts an event whose record is there.
  @inline(__always)
  package mutating func note(
    _ event: UnsafePointer<mainstem_event>, _ mode: RecordMode, _ origin: Digest
  ) {
    if mode == .full || mode == .mark { digest.take(event, origin: origin) }
    last = event.pointee.position
    undigested &+= 1
  }

  /// The end of a batch.
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

  private mutating func endSkipping(_ time: Int64) {
    let (first, last) = (last &- skipped &+ 1, last)
    records.add(RecordFormat.Kind.skipped, at: last, time: time) { payload in
      payload.add(first)
      payload.add(last)
    }
    skipped = 0
  }
}

/// What callbacks knew.
extension JournalWriter {
  /// Whether what a callback knew fits as well.
  package var fitsNote: Bool { records.fits(24) }

  /// Adds what had been accepted when a callback asked, unless that was its own event and nothing more.
  package mutating func addHorizon(of event: UInt64, _ accepted: UInt64, _ time: Int64) {
    let number = horizons.next(of: event)
    guard accepted != event else { return }
    records.add(RecordFormat.Kind.horizon, at: last, time: time) { payload in
      payload.add(event)
      payload.add(number)
      payload.add(accepted)
    }
  }

  /// Adds, once, that a callback of an event was the first to find the context closing.
  package mutating func addClosing(at event: UInt64, _ accepted: UInt64, _ time: Int64) {
    guard !isClosing else { return }
    isClosing = true
    let number = horizons.last(of: event)
    records.add(RecordFormat.Kind.closing, at: last, time: time) { payload in
      payload.add(event)
      payload.add(number)
      payload.add(accepted)
    }
  }
}

/// Numbers the questions of an event's callbacks, from 1 on, as they come.
package struct HorizonCount {
  private var event: UInt64 = 0
  private var count: UInt64 = 0

  package mutating func next(of event: UInt64) -> UInt64 {
    count = last(of: event) &+ 1
    self.event = event
    return count
  }

  /// The number of the last one; 0: there was none.
  package func last(of event: UInt64) -> UInt64 { event == self.event ? count : 0 }
}

/// Names, said once in each file.
extension JournalWriter {
  @inline(never)
  private mutating func addNames(
    _ event: UnsafePointer<mainstem_event>, _ stream: Stream
  ) -> (RecordMode, Digest) {
    let mode = known.mode(of: event.pointee.type) ?? addType(event, stream)
    let origin = known.digest(ofOrigin: event.pointee.origin) ?? addOrigin(event, stream)
    return (mode, origin)
  }

  private mutating func addType(
    _ event: UnsafePointer<mainstem_event>, _ stream: Stream
  ) -> RecordMode {
    let (type, time) = (event.pointee.type, event.pointee.time)
    let contract = stream.contract(of: type)
    let mode = RecordMode(contract)
    if mode != .none { addLayer(contract.layer, time, stream) }
    let last = last
    // A name, once out, stays where it is; only its response may still come.
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
  ) -> Digest {
    let (origin, last, time) = (event.pointee.origin, last, event.pointee.time)
    let digest = stream.locked { () -> Digest in
      let name = stream.state.pointee.origins[origin] ?? Bytes("")
      records.add(RecordFormat.Kind.origin, at: last, time: time) { payload in
        payload.add(origin)
        payload.add(name)
      }
      return Digest(ofName: name.start, name.count)
    }
    known.add(origin: origin, digest)
    return digest
  }
}
