// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The number of events, and the bytes of their payloads. Every thread may read it.
package struct Gathered: ~Copyable {
  private let events = Atomic<Int>(0)
  private let payload = Atomic<Int>(0)

  package func set(_ count: Int, bytes: Int) {
    events.store(count, ordering: .relaxed)
    payload.store(bytes, ordering: .relaxed)
  }

  package var sum: (count: Int, bytes: Int) {
    (events.load(ordering: .relaxed), payload.load(ordering: .relaxed))
  }
}

/// Many events of one call, in a context that records them. As many as may go together take their positions at once,
/// are recorded with one write, and are then delivered from the caller's memory.
///
/// Events for which a queue must promise room wait in memory of their own, but are also recorded together. Everything
/// else is sent on its own, like a single send: when another thread delivers, or when an event is refused.
package struct Gathering {
  private let resolved: ResolvedHandle
  private let batch: PackedEvents
  /// The layers to which the handle may send.
  private let layers: UInt64
  /// How much may go together: `most`, or less while others are sending.
  private let most: Limits.Room
  private var room: Limits.Room
  /// How many events were accepted.
  package private(set) var count = 0
  /// How many events are sent on their own before sending together is tried again.
  private var alone = 0

  private var stream: Stream { resolved.stream }

  /// Nil if nothing is recorded, or if a callback sends: what it sends waits anyway.
  package init?(_ batch: PackedEvents, through resolved: ResolvedHandle) {
    let stream = resolved.stream
    guard stream.connectedRecorder != nil, Frame.of(stream) == nil else { return nil }
    self.resolved = resolved
    self.batch = batch
    layers = resolved.sendableLayers
    most = Gathering.most(in: stream.state.pointee.admissions.limits)
    room = most
  }

  /// What fits into the records of one write. What the callbacks send waits until all events of the group are
  /// delivered, and must find room as it would without the group. So a group is small compared to what may wait.
  private static func most(in limits: Limits) -> Limits.Room {
    Limits.Room(
      events: max(1, min(1024, limits.waiting.events / 16)),
      bytes: min(131_072, limits.waiting.bytes / 16))
  }

  /// Sends all events; throws at the first that is refused. Call `acknowledge` afterwards, whatever the result.
  package mutating func send() throws(Refusal) {
    while count < batch.count {
      if alone > 0 || !(sendTogether() || sendPromised()) { try sendOne() }
    }
  }

  /// Returns when the accepted events are on the disk, if that is promised. Asked once for the whole call.
  package func acknowledge() throws(Refusal) {
    if count > 0 { try stream.acknowledge() }
  }

  private mutating func sendOne() throws(Refusal) {
    let row = try batch.row(count)
    let draft = try resolved.draft(row.type, row.data, row.size)
    try stream.acceptFromOutside(draft, through: resolved)
    count &+= 1
    alone = max(0, alone &- 1)
  }
}

/// Sending together.
extension Gathering {
  /// A run of rows that are not sent yet.
  private struct Rows {
    let first: Int
    var count = 0
    var bytes = 0
  }

  /// Rows that have their positions.
  private struct Accepted {
    let rows: Rows
    let first: UInt64
    let time: Int64

    var last: UInt64 { first &+ UInt64(rows.count) &- 1 }
  }

  /// Sends as many events as may go together; false: none may, and nothing has happened.
  private mutating func sendTogether() -> Bool {
    stream.endLeftovers()
    let duty = stream.lockDeliveryAtOnce(resolved.slot, resolved.key)
    guard duty.isDeliverer else { return false }
    let rows = survey()
    guard rows.count > 0, promiseRoom(to: rows), let first = takePositions(for: rows, duty)
    else {
      stream.state.pointee.admissions.gathered.set(0, bytes: 0)
      stream.endAtOnce(duty)
      return false
    }
    let accepted = Accepted(rows: rows, first: first, time: stream.now)
    let lastToBeSeen = record(accepted)
    stream.state.pointee.admissions.gathered.set(0, bytes: 0)
    deliverAccepted(accepted, upTo: lastToBeSeen)
    stream.fulfill(duty, after: accepted.last)
    count &+= rows.count
    return true
  }

  /// The rows that may go together.
  private func survey() -> Rows {
    var rows = Rows(first: count)
    while rows.first &+ rows.count < batch.count, let row = batch[rows.first &+ rows.count],
      isPlain(row), room.fits(row.size, beside: rows.count, rows.bytes)
    {
      rows.count &+= 1
      rows.bytes &+= row.size
    }
    return rows
  }

  /// Whether an event is accepted as it is, and needs no promise of room from a queue.
  @inline(__always)
  private func isPlain(_ row: PackedEvent) -> Bool {
    guard let observers = stream.state.pointee.observers.find(row.type) else { return false }
    if observers.pointee.admits(row.size), !resolved.isLimited { return true }
    return !stream.state.pointee.observers.asksForRoom(observers) && admits(row, observers)
  }

  /// Whether an event is accepted as it is, provided there is room.
  private func admits(_ row: PackedEvent, _ observers: TypeObservers.Pointer) -> Bool {
    let contract = observers.pointee.contract
    return contract.bits != 0 && layers & 1 << UInt64(contract.layer & 63) != 0
      && stream.state.pointee.admissions.allows(row.size)
      && contract.admits(row.data, row.size)
  }

  /// Whether there is room to record all of them. If not, each is sent on its own.
  private mutating func promiseRoom(to rows: Rows) -> Bool {
    stream.state.pointee.admissions.gathered.set(rows.count, bytes: rows.bytes)
    if (try? stream.demandRecording(of: 0)) != nil { return true }
    alone = rows.count
    return false
  }

  /// Takes positions for all rows. Nil if another thread took one meanwhile: that event must be delivered first, and
  /// fewer rows are tried next time.
  ///
  /// - Returns: The position of the first row.
  private mutating func takePositions(for rows: Rows, _ duty: borrowing Duty) -> UInt64? {
    guard let last = stream.advance(by: UInt64(rows.count), with: duty) else {
      room.events = max(1, rows.count / 2)
      return nil
    }
    room.events = min(most.events, room.events &* 2)
    return last &- UInt64(rows.count) &+ 1
  }

  /// Records the events.
  ///
  /// - Returns: The last position that observers may see.
  private func record(_ accepted: Accepted) -> UInt64 {
    var last: UInt64 = 0
    each(accepted) { event, _ in
      last = stream.gather(event, isLast: event.pointee.position == accepted.last)
      return true
    }
    return last
  }

  /// Delivers the events. Those that observers may not see are dropped.
  private func deliverAccepted(_ accepted: Accepted, upTo last: UInt64) {
    each(accepted) { event, observers in
      guard event.pointee.position <= last else { return false }
      stream.deliver(event, observers)
      stream.attend(behind: event)
      return stream.attend(after: event.pointee.position)
    }
  }

  /// Visits the rows as events until `visit` returns false.
  @inline(__always)
  private func each(
    _ accepted: Accepted,
    _ visit: (UnsafeMutablePointer<mainstem_event>, TypeObservers.Pointer) -> Bool
  ) {
    let origin = resolved.origin
    var event = mainstem_event()
    withUnsafeMutablePointer(to: &event) { event in
      var index = 0
      while index < accepted.rows.count, let row = batch[accepted.rows.first &+ index],
        let observers = stream.state.pointee.observers.find(row.type)
      {
        mainstem_p_event_from_outside(
          event, accepted.first &+ UInt64(index), row.type, row.data, Draft.nothing, row.size,
          origin)
        event.pointee.time = accepted.time
        event.pointee.flags |=
          observers.pointee.contract.flags
        guard visit(event, observers) else { return }
        index &+= 1
      }
    }
  }
}

/// Sending with promised room.
extension Gathering {
  /// Sends as many events as queues promise room for; false: none, and nothing has happened. The events wait like those
  /// sent in callbacks, so other threads may send in between.
  private mutating func sendPromised() -> Bool {
    guard isToBePromised(count) else { return false }
    let duty = stream.lockDeliveryAtOnce(resolved.slot, resolved.key)
    guard duty.isDeliverer else { return false }
    let first = count
    while count < batch.count, count &- first < most.events, isToBePromised(count),
      let row = batch[count], var draft = try? resolved.draft(row.type, row.data, row.size),
      enqueue(&draft)
    {
      count &+= 1
    }
    stream.fulfill(duty)
    return count > first
  }

  @inline(never)
  private func isToBePromised(_ index: Int) -> Bool {
    guard let row = batch[index], let observers = stream.state.pointee.observers.find(row.type)
    else {
      return false
    }
    guard stream.state.pointee.observers.asksForRoom(observers),
      !observers.pointee.contract.isValue,
      admits(row, observers),
      case .waits = admission(row.size, .program, stream.conditions(inCallback: false))
    else { return false }
    return true
  }

  /// Lets an event wait if every queue promises room; false: nothing has happened.
  private func enqueue(_ draft: inout Draft) -> Bool {
    var candidate = Candidate(nil)
    guard let queued = try? candidate.hold(copyOf: &draft),
      stream.locked({ stream.promisesRoom(to: draft, queued) })
    else {
      candidate.giveUp(on: stream)
      return false
    }
    if let queued = candidate.accept() { stream.enqueue(draft, queued) }
    return true
  }
}

/// Events that a host packed: headers at the front, payloads behind them. Borrowed for the call; the host must not
/// change them meanwhile.
package struct PackedEvents {
  private let start: UnsafeRawPointer?
  private let size: Int
  package let count: Int

  package init(_ start: UnsafeRawPointer?, _ size: Int, _ count: Int) throws(Refusal) {
    guard count >= 0, count <= 1 << 24 else {
      throw Refusal(.tooBig, "count", "is over 16,777,216 events")
    }
    guard start != nil || count == 0 else { throw .null("batch") }
    guard size >= count &* MemoryLayout<mainstem_event_header>.size else {
      throw Refusal(.invalid, "size", "is too small for the headers")
    }
    self.start = start
    self.size = size
    self.count = count
  }

  /// One of the events; nil if its payload is not inside the batch.
  @inline(__always)
  package subscript(index: Int) -> PackedEvent? {
    let header = start.unsafelyUnwrapped.loadUnaligned(
      fromByteOffset: index &* MemoryLayout<mainstem_event_header>.size,
      as: mainstem_event_header.self)
    let (offset, length) = (Int(header.offset), Int(header.size))
    guard offset <= size, length <= size &- offset else { return nil }
    return PackedEvent(type: header.type, data: start.unsafelyUnwrapped + offset, size: length)
  }

  package func row(_ index: Int) throws(Refusal) -> PackedEvent {
    guard let row = self[index] else {
      throw Refusal(.invalid, "batch", "has a payload outside of it")
    }
    return row
  }
}

/// One event of a batch; its payload is not copied.
package struct PackedEvent {
  package let type: UInt32
  package let data: UnsafeRawPointer
  package let size: Int
}
