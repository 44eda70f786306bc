// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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

  /// Writes the bounds into an observer's options.
  func write(to options: inout mainstem_observe_options) {
    options.policy = policy
    (options.limit_events, options.limit_bytes) = (Self.bound(limit), Self.bound(bytes))
  }

  /// Writes the bounds into a server's options.
  func write(to options: inout mainstem_server_options) {
    options.policy = policy
    (options.limit_events, options.limit_bytes) = (Self.bound(limit), Self.bound(bytes))
  }

  /// In C, 0 means the default. A queue for nothing has room for one event, as any queue.
  private static func bound(_ limit: Int?) -> Int { limit.map { max(1, $0) } ?? 0 }
}
