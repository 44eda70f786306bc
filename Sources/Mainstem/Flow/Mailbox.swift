// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// An observer without a closure: what it looks at waits until it is fetched, many events at once.
///
/// The fastest way out of the stream, and the way into a loop that takes its events when it has time for
/// them. It ends when it is released or cancelled.
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

  /// Takes what waits, the oldest first: as much as one buffer of 64 KiB holds, or one longer event.
  ///
  /// - Returns: What was taken; nothing when nothing waits.
  /// - Throws: ``Status/busy`` inside a callback, ``Status/stale`` when it has ended.
  public func fetch() throws(StreamError) -> [MailRecord] {
    var (count, next) = (0, 0)
    var status = take(&count, &next)
    if status == MAINSTEM_TOO_BIG {
      buffer.deallocate()
      buffer = .allocate(byteCount: next, alignment: 8)
      status = take(&count, &next)
    }
    try StreamError.check(status)
    return (0..<count).map { MailRecord(at: $0, in: UnsafeRawBufferPointer(buffer), types: types) }
  }

  /// What it counts.
  ///
  /// - Returns: The counters, as they are now.
  /// - Throws: ``Status/stale`` when it has ended.
  public func stats() throws(StreamError) -> SubscriptionStats { try subscription.stats() }

  /// Ends it; what waits is dropped.
  public func cancel() { subscription.cancel() }

  private func take(_ count: inout Int, _ next: inout Int) -> mainstem_status {
    mainstem_drain_records(
      subscription.handle.pointer, buffer.baseAddress, buffer.count, &count, &next)
  }
}

extension Context {
  /// Keeps the events of a type, failed responses too, until they are fetched.
  ///
  /// - Parameters:
  ///   - type: The type of event.
  ///   - history: Whether what is kept of the type comes first.
  ///   - queue: What may wait.
  /// - Returns: The mailbox, which ends when it is released.
  /// - Throws: Why there is none.
  public func mailbox<E: Event>(
    _ type: E.Type, history: Bool = true, queue: Queue = .reject()
  ) throws(StreamError) -> Mailbox {
    try mailbox(types.number(of: type), history, queue)
  }

  /// Keeps every event, of whatever type, until it is fetched.
  ///
  /// - Parameters:
  ///   - history: Whether what is kept of all types comes first.
  ///   - queue: What may wait.
  /// - Returns: The mailbox, which ends when it is released.
  /// - Throws: Why there is none.
  public func mailbox(
    history: Bool = true, queue: Queue = .reject()
  ) throws(StreamError) -> Mailbox {
    try mailbox(mainstem_event_type(MAINSTEM_TYPE_ANY), history, queue)
  }

  private func mailbox(
    _ number: mainstem_event_type, _ history: Bool, _ queue: Queue
  ) throws(StreamError) -> Mailbox {
    let wanted = ObserverOptions(
      history: history, scheduler: mainstem_scheduler(MAINSTEM_SCHEDULER_HOST), queue: queue,
      onGap: nil)
    var subscription: OpaquePointer?
    let status = withUnsafePointer(to: number) { number in
      var options = mainstem_observe_options()
      wanted.write(to: &options)
      if number.pointee != 0 { (options.types, options.type_count) = (number, 1) }
      return mainstem_observe_with(handle, &options, nil, nil, nil, &subscription)
    }
    try StreamError.check(status)
    return Mailbox(Subscription(subscription), types: types)
  }
}
