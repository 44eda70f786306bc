// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// When an observer's callbacks run, on the context's thread.
///
/// For callbacks on another thread, use a ``SerialScheduler``.
public struct Scheduler: Sendable, Hashable {
  let number: mainstem_scheduler

  /// At once, inside the call that delivers. The default.
  public static let immediate = Scheduler(number: UInt32(MAINSTEM_SCHEDULER_IMMEDIATE))

  /// Only inside ``Context/drain(max:)``, ``Context/wait(timeout:interrupt:)`` and ``Context/flush()``.
  public static let host = Scheduler(number: UInt32(MAINSTEM_SCHEDULER_HOST))
}

/// A thread of the library's own that runs callbacks one after the other.
///
/// It is not the context's thread: closures that run on it are `@Sendable`. They may answer with a
/// ``Reply`` and hand in events with a ``Poster``, but a send or a request through their delivery throws
/// ``Status/wrongThread``. So a server on it cannot ask: let one that is called at once do so.
public struct SerialScheduler: Sendable, Hashable {
  package let number: mainstem_scheduler

  /// As one that takes any closure: only where the caller's closures are `@Sendable`.
  var unchecked: Scheduler { Scheduler(number: number) }
}

extension Context {
  /// Adds a serial scheduler; a context has at most 63. Its thread ends when the context closes.
  ///
  /// - Parameters:
  ///   - name: Its name; the first 15 bytes become the thread's name.
  ///   - spin: How long it looks for more work before it sleeps. Spinning makes a round trip much
  ///     shorter but keeps a processor busy.
  /// - Returns: The scheduler, for observers of this context and its scopes.
  /// - Throws: The reason the call was refused.
  public func serial(
    _ name: String, spin: Duration = .zero
  ) throws(StreamError) -> SerialScheduler {
    try StreamError.demandNoZero(name, "serial: name")
    guard let spin = UInt32(exactly: try spin.microseconds("serial: spin")) else {
      throw StreamError(.invalid, "serial: spin: \(spin) is longer than 71 minutes")
    }
    var number: mainstem_scheduler = 0
    try StreamError.check(mainstem_scheduler_add(handle, name, spin, &number))
    return SerialScheduler(number: number)
  }
}

/// How much may wait for an observer on a scheduler, and what happens when its queue is full (law 9).
///
/// The limits are a count of events and the bytes of their payloads; one event may always wait. `nil`
/// takes the default: 65,536 events, 64 MiB.
public struct Queue: Sendable, Hashable {
  private let policy: UInt32
  private let limit: Int?
  private let bytes: Int?

  private init(_ policy: Int32, _ limit: Int?, _ bytes: Int?) {
    (self.policy, self.limit, self.bytes) = (UInt32(policy), limit, bytes)
  }

  /// When full, the send is refused with ``Status/full``; nothing is lost.
  ///
  /// - Parameters:
  ///   - limit: How many events may wait.
  ///   - bytes: How many bytes of payload may wait.
  /// - Returns: The queue.
  public static func reject(limit: Int? = nil, bytes: Int? = nil) -> Queue {
    Queue(MAINSTEM_QUEUE_REJECT, limit, bytes)
  }

  /// When full, the send waits for another thread to make room; inside a callback it is refused.
  ///
  /// - Parameters:
  ///   - limit: How many events may wait.
  ///   - bytes: How many bytes of payload may wait.
  /// - Returns: The queue.
  public static func block(limit: Int? = nil, bytes: Int? = nil) -> Queue {
    Queue(MAINSTEM_QUEUE_BLOCK, limit, bytes)
  }

  /// When full, the oldest waiting event is lost; a ``Gap`` reports it.
  ///
  /// - Parameters:
  ///   - limit: How many events may wait.
  ///   - bytes: How many bytes of payload may wait.
  /// - Returns: The queue.
  public static func dropOldest(limit: Int? = nil, bytes: Int? = nil) -> Queue {
    Queue(MAINSTEM_QUEUE_DROP_OLDEST, limit, bytes)
  }

  /// When full, the new event is lost; a ``Gap`` reports it.
  ///
  /// - Parameters:
  ///   - limit: How many events may wait.
  ///   - bytes: How many bytes of payload may wait.
  /// - Returns: The queue.
  public static func dropNewest(limit: Int? = nil, bytes: Int? = nil) -> Queue {
    Queue(MAINSTEM_QUEUE_DROP_NEWEST, limit, bytes)
  }

  /// Only the newest event waits; a ``Gap`` reports those before it.
  public static let latest = Queue(MAINSTEM_QUEUE_LATEST, nil, nil)
}

extension Queue {
  /// Refuses bounds below 0.
  func check() throws(StreamError) {
    if let limit, limit < 0 { throw StreamError(.invalid, "queue: limit: \(limit) is less than 0") }
    if let bytes, bytes < 0 { throw StreamError(.invalid, "queue: bytes: \(bytes) is less than 0") }
  }

  /// The policy and the bounds, as the options of an observer or a server in C have them.
  var bounds: (policy: UInt32, events: Int, bytes: Int) {
    (policy, Self.bound(limit), Self.bound(bytes))
  }

  /// In C, 0 means the default. A queue for nothing has room for one event, as any queue.
  private static func bound(_ limit: Int?) -> Int { limit.map { max(1, $0) } ?? 0 }
}

/// What one observer lost, for example because its ``Queue`` was full. A gap comes before the observer's next
/// event or, at the end of a burst, after the last waiting one.
public struct Gap: Sendable, Hashable {
  /// The position of the first event lost.
  public let from: UInt64
  /// The position of the last event lost.
  public let to: UInt64
  /// How many, counting only events this observer would have got.
  public let count: UInt64
}

extension Gap {
  /// The gap a callback got instead of an event; `nil` for every event of the stream.
  init?(_ event: UnsafePointer<mainstem_event>) {
    guard event.pointee.flags & UInt32(MAINSTEM_EVENT_GAP) != 0,
      let data = event.pointee.data, event.pointee.size >= MemoryLayout<mainstem_gap>.size
    else { return nil }
    let gap = data.loadUnaligned(as: mainstem_gap.self)
    self.init(from: gap.from, to: gap.to, count: gap.count)
  }
}
