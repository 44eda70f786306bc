// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What one context may use (law 9). `nil` is each one's default.
public struct Limits: Sendable, Hashable {
  /// Subscriptions at a time, the handlers of servers included.
  public var observers: UInt64?
  /// Bytes of a payload; at most 4,294,967,295.
  public var payload: UInt64?
  /// Causes from an event back to the outside one; `nil`: 65,536. A longer chain goes on from a timer.
  public var cascade: UInt64?
  /// Events that wait: sent in callbacks, or while another thread delivers.
  public var events: UInt64?
  /// Bytes of their payloads.
  public var bytes: UInt64?
  /// Events posted and not taken in yet.
  public var posts: UInt64?
  /// Bytes of the payloads of those.
  public var postBytes: UInt64?

  /// Makes limits: all of them their defaults, to be changed one by one.
  public init() {}
}

extension Limits {
  /// Writes the limits into a context's options.
  func write(to options: inout mainstem_context_options) {
    options.limit_observers = observers ?? 0
    options.limit_payload = payload ?? 0
    options.limit_cascade = cascade ?? 0
    options.limit_events = events ?? 0
    options.limit_bytes = bytes ?? 0
    options.limit_posts = posts ?? 0
    options.limit_post_bytes = postBytes ?? 0
  }
}
