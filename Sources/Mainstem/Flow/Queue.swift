// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What may wait for an observer on a scheduler, and what happens when that is full (law 9).
///
/// Limits are counts of events and bytes of their payloads; one event may always wait. `nil` is the
/// default: 65,536 events, 64 MiB.
public struct Queue: Sendable, Hashable {
  private let policy: UInt32
  private let limit: Int?
  private let bytes: Int?

  private init(_ policy: Int32, _ limit: Int?, _ bytes: Int?) {
    (self.policy, self.limit, self.bytes) = (UInt32(policy), limit, bytes)
  }

  /// The send is refused with ``Status/full``; nothing is lost.
  ///
  /// - Parameters:
  ///   - limit: How many events may wait.
  ///   - bytes: How many bytes of payload may.
  /// - Returns: The queue.
  public static func reject(limit: Int? = nil, bytes: Int? = nil) -> Queue {
    Queue(MAINSTEM_QUEUE_REJECT, limit, bytes)
  }

  /// The send waits for room; inside a callback it is refused.
  ///
  /// - Parameters:
  ///   - limit: How many events may wait.
  ///   - bytes: How many bytes of payload may.
  /// - Returns: The queue.
  public static func block(limit: Int? = nil, bytes: Int? = nil) -> Queue {
    Queue(MAINSTEM_QUEUE_BLOCK, limit, bytes)
  }

  /// The oldest that waits is lost, and a ``Gap`` tells of it.
  ///
  /// - Parameters:
  ///   - limit: How many events may wait.
  ///   - bytes: How many bytes of payload may.
  /// - Returns: The queue.
  public static func dropOldest(limit: Int? = nil, bytes: Int? = nil) -> Queue {
    Queue(MAINSTEM_QUEUE_DROP_OLDEST, limit, bytes)
  }

  /// The new one is lost, and a ``Gap`` tells of it.
  ///
  /// - Parameters:
  ///   - limit: How many events may wait.
  ///   - bytes: How many bytes of payload may.
  /// - Returns: The queue.
  public static func dropNewest(limit: Int? = nil, bytes: Int? = nil) -> Queue {
    Queue(MAINSTEM_QUEUE_DROP_NEWEST, limit, bytes)
  }

  /// Only the newest waits; a ``Gap`` tells of those before it.
  public static let latest = Queue(MAINSTEM_QUEUE_LATEST, nil, nil)
}

extension Queue {
  /// Writes the bounds into an observer's options.
  func write(to options: inout mainstem_observe_options) {
    options.policy = policy
    // 0 is the default there: who asks for none gets the one that may always wait.
    options.limit_events = limit.map { max(1, $0) } ?? 0
    options.limit_bytes = bytes.map { max(1, $0) } ?? 0
  }
}
