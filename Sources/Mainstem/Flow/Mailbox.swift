// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// An observer without a closure: its events wait until they are fetched, many at once.
///
/// This is the fastest way to get events out of the stream. It suits a loop that takes its events
/// when it has time for them. A mailbox ends when it is released or cancelled.
///
///     let mailbox = try context.mailbox(Moved.self, queue: .dropOldest(limit: 1000))
///     for record in try mailbox.fetch() { try draw(record.decode(Moved.self)) }
public final class Mailbox {
  private let subscription: Subscription
  private let types: EventTypes
  private var buffer: UnsafeMutableRawBufferPointer

  init(_ subscription: Subscription, types: EventTypes) {
    self.subscription = subscription
    self.types = types
    buffer = .allocate(byteCount: 1 << 16, alignment: 8)
  }

  deinit { buffer.deallocate() }

  /// Takes waiting events, the oldest first: as many as fit in 64 KiB, or one larger event.
  ///
  /// - Returns: The events; none if nothing waits.
  /// - Throws: ``Status/busy`` inside a callback, ``Status/stale`` if the mailbox has ended.
  public func fetch() throws(StreamError) -> [MailboxEvent] {
    var (count, next) = (0, 0)
    var status = take(&count, &next)
    if status == MAINSTEM_TOO_BIG {
      buffer.deallocate()
      buffer = .allocate(byteCount: next, alignment: 8)
      status = take(&count, &next)
    }
    try StreamError.check(status)
    return (0..<count).map {
      MailboxEvent(at: $0, in: UnsafeRawBufferPointer(buffer), types: types)
    }
  }

  /// Reads the mailbox's counters.
  ///
  /// - Returns: Their current values.
  /// - Throws: ``Status/stale`` if the mailbox has ended.
  public func stats() throws(StreamError) -> SubscriptionStats { try subscription.stats() }

  /// Ends the mailbox; waiting events are dropped.
  public func cancel() { subscription.cancel() }

  private func take(_ count: inout Int, _ next: inout Int) -> mainstem_status {
    mainstem_mailbox_take(
      subscription.handle.pointer, buffer.baseAddress, buffer.count, &count, &next)
  }
}

extension Context {
  /// Keeps the events of a type, including failed responses, until they are fetched.
  ///
  /// - Parameters:
  ///   - type: The event type.
  ///   - scope: A scope: only what is sent through exactly that one; `nil`: through any.
  ///   - history: Whether events from the type's history come first.
  ///   - queue: The queue of waiting events.
  /// - Returns: The mailbox, which ends when it is released.
  /// - Throws: The reason the call was refused.
  public func mailbox<E: Event>(
    _ type: E.Type, of scope: Context? = nil, history: Bool = true, queue: Queue = .reject()
  ) throws(StreamError) -> Mailbox {
    try mailbox(types.number(of: type), scope, history, queue)
  }

  /// Keeps every event, of every type, until it is fetched.
  ///
  /// - Parameters:
  ///   - scope: A scope: only what is sent through exactly that one; `nil`: through any.
  ///   - history: Whether events from the types' histories come first.
  ///   - queue: The queue of waiting events.
  /// - Returns: The mailbox, which ends when it is released.
  /// - Throws: The reason the call was refused.
  public func mailbox(
    of scope: Context? = nil, history: Bool = true, queue: Queue = .reject()
  ) throws(StreamError) -> Mailbox {
    try mailbox(mainstem_event_type(MAINSTEM_TYPE_ANY), scope, history, queue)
  }

  private func mailbox(
    _ number: mainstem_event_type, _ scope: Context?, _ history: Bool, _ queue: Queue
  ) throws(StreamError) -> Mailbox {
    try queue.check()
    let wanted = ObserverOptions(of: scope, history: history, scheduler: .host, queue: queue)
    var subscription: OpaquePointer?
    try StreamError.check(
      wanted.pass(number) { mainstem_observe_with(handle, $0, nil, nil, nil, &subscription) })
    return Mailbox(Subscription(subscription, of: number, types), types: types)
  }
}

/// An event fetched from a ``Mailbox``: a copy, which may be kept.
public struct MailboxEvent {
  private let header: mainstem_event_header
  private let types: EventTypes
  private let bytes: [UInt8]

  init(at index: Int, in buffer: UnsafeRawBufferPointer, types: EventTypes) {
    header = buffer.loadUnaligned(
      fromByteOffset: index * MemoryLayout<mainstem_event_header>.size,
      as: mainstem_event_header.self)
    let start = Int(header.offset)
    bytes = Array(buffer[start..<start + Int(header.size)])
    self.types = types
  }
}

extension MailboxEvent {
  /// Its place on the stream; for a gap, the position of the last event lost.
  public var position: UInt64 { header.position }

  /// The position of the event whose delivery sent it; 0 = it came from outside.
  public var cause: UInt64 { header.cause }

  /// The position of the outside event that began the chain.
  public var correlation: UInt64 { header.correlation }

  /// The position of the request it answers; 0 = none.
  public var answers: UInt64 { header.answers }

  /// When it was accepted, in nanoseconds since 1970; 0 if times are not kept.
  public var time: Int64 { header.time }

  /// ``Status/ok``, or the code of a failed response.
  public var status: Status { Status(rawValue: header.status) }

  /// Whether it came from outside: a replay feeds such events in.
  public var isOutside: Bool { header.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0 }

  /// Whether it comes from a history, from before the mailbox was made: ``Context/keepHistory(of:last:maxAge:)``.
  public var isLate: Bool { header.flags & UInt32(MAINSTEM_EVENT_LATE) != 0 }

  /// Whether its type is a secret: do not show or store its payload.
  public var isSecret: Bool { header.flags & UInt32(MAINSTEM_EVENT_SECRET) != 0 }

  /// The gap, if it is one; `nil` for every event of the stream.
  public var gap: Gap? {
    guard header.flags & UInt32(MAINSTEM_EVENT_GAP) != 0 else { return nil }
    return bytes.withUnsafeBytes { bytes in
      guard bytes.count >= MemoryLayout<mainstem_gap>.size else { return nil }
      let gap = bytes.loadUnaligned(as: mainstem_gap.self)
      return Gap(from: gap.from, to: gap.to, count: gap.count)
    }
  }

  /// What went wrong, in a failed response; `nil` otherwise.
  public var failure: Failure? {
    guard status != .ok else { return nil }
    let parts = bytes.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count >= 3 else { return Failure("", code: status) }
    return Failure(parts[0], userMessage: parts[1], subject: parts[2], code: status)
  }

  /// Its payload as it was sent; empty for a failed response.
  public var payload: [UInt8] { status == .ok ? bytes : [] }

  /// Whether it is an event of a type, and not a failed response.
  ///
  /// - Parameter type: The type.
  /// - Returns: Whether ``decode(_:)`` can decode it as that type.
  public func isEvent<E: Event>(_ type: E.Type) -> Bool {
    guard status == .ok, gap == nil, let number = try? types.number(of: type) else { return false }
    return header.type == number
  }

  /// Decodes the event.
  ///
  /// - Parameter type: Its type; for any other type the call throws.
  /// - Returns: The event.
  /// - Throws: The failure of a failed response; ``Status/invalid`` for a gap, for an event of
  ///   another type, and for a payload that cannot be decoded.
  public func decode<E: Event>(_ type: E.Type) throws(Failure) -> E {
    if let failure { throw failure }
    guard isEvent(type) else { throw Failure("#\(position) is no \(E.name)", code: .invalid) }
    return try types.decode(type, from: bytes, isSecret: isSecret)
  }
}
