// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What one context may use (law 9). `nil` takes the default.
public struct Limits: Sendable, Hashable {
  /// Subscriptions at a time, including server handlers.
  public var observers: UInt64?
  /// Bytes per payload; at most 4,294,967,295, the default.
  public var payload: UInt64?
  /// Causes from an event back to its outside event; `nil`: 65,536. To continue a longer chain, use a timer.
  public var cascade: UInt64?
  /// Waiting events: sent in callbacks or while another thread delivers.
  public var events: UInt64?
  /// Bytes of their payloads; a lone event may exceed it.
  public var bytes: UInt64?
  /// Posted events not yet taken in.
  public var posts: UInt64?
  /// Bytes of their payloads; like ``bytes``.
  public var postBytes: UInt64?

  /// Makes limits that are all at their defaults.
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
