// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import MainstemCore

extension mainstem_context_options {
  /// The limits of a context; 0 means the default.
  func limits() throws(Refusal) -> Limits {
    var limits = Limits()
    limits.deniesByDefault = flags & UInt32(MAINSTEM_CONTEXT_DENY_BY_DEFAULT) != 0
    if limit_observers != 0 { limits.observers = limit_observers }
    if limit_payload != 0 {
      guard limit_payload <= UInt64(limits.payload) else {
        throw Refusal(.tooBig, "options.limit_payload", "is over 4,294,967,295 bytes")
      }
      limits.payload = Int(limit_payload)
    }
    if limit_cascade != 0 { limits.cascade = limit_cascade }
    if limit_rows != 0 {
      guard limit_rows <= UInt64(Limits.mostRows) else {
        throw Refusal(.tooBig, "options.limit_rows", "is over 16,777,216 rows")
      }
      limits.rows = Int(limit_rows)
    }
    limits.waiting.set(limit_events, limit_bytes)
    limits.posts.set(limit_posts, limit_post_bytes)
    return limits
  }
}

extension Threads {
  /// The threads that the host chose; nil: an unknown number.
  init?(_ number: UInt32) {
    switch Int32(bitPattern: number) {
    case MAINSTEM_THREADS_ONE: self = .one
    case MAINSTEM_THREADS_ANY: self = .any
    case MAINSTEM_THREADS_GUARDED: self = .guarded
    default: return nil
    }
  }
}

extension Scope.Options {
  /// What the host gave; layers that it did not name are those of the default.
  init(
    _ given: UnsafePointer<mainstem_scope_options>?, _ rights: Rights
  ) throws(Refusal) {
    self.init()
    self.rights = rights
    try given?.pointee.write(to: &self)
  }
}

extension mainstem_scope_options {
  fileprivate func write(to options: inout Scope.Options) throws(Refusal) {
    try checkSize(size, MemoryLayout<mainstem_scope_options>.size, "options")
    let (sendsNothing, observesNothing) = (
      UInt32(MAINSTEM_SCOPE_SENDS_NOTHING), UInt32(MAINSTEM_SCOPE_OBSERVES_NOTHING)
    )
    guard flags & ~(sendsNothing | observesNothing) == 0 else {
      throw Refusal(.invalid, "options.flags", "has an unknown flag")
    }
    let unnamed = options.rights
    options.rights = Rights(
      send: flags & sendsNothing != 0 ? 0 : send_layers == 0 ? unnamed.send : send_layers,
      observe: flags & observesNothing != 0
        ? 0 : observe_layers == 0 ? unnamed.observe : observe_layers)
    if limit_observers != 0 { options.observers = limit_observers }
  }
}

extension Limits.Room {
  /// Sets the limits that the host gave; 0 keeps the default.
  fileprivate mutating func set(_ events: UInt64, _ bytes: UInt64) {
    if events != 0 { self.events = Int(clamping: events) }
    if bytes != 0 { self.bytes = Int(clamping: bytes) }
  }
}
