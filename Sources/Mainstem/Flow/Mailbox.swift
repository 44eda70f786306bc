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
    let wanted = ObserverOptions(
      of: scope, history: history, scheduler: mainstem_scheduler(MAINSTEM_SCHEDULER_HOST),
      queue: queue, onGap: nil)
    var subscription: OpaquePointer?
    let status = withUnsafePointer(to: number) { number in
      var options = mainstem_observe_options()
      wanted.write(to: &options)
      if number.pointee != 0 { (options.types, options.type_count) = (number, 1) }
      return mainstem_observe_with(handle, &options, nil, nil, nil, &subscription)
    }
    try StreamError.check(status)
    return Mailbox(Subscription(subscription, of: number, types), types: types)
  }
}
