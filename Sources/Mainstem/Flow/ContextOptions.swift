// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// How a context is to be.
public struct ContextOptions: Sendable, Hashable {
  /// Whether every event gets the time at which it was accepted.
  public var times: Bool

  /// Makes options.
  ///
  /// - Parameter times: Whether every event gets the time at which it was accepted.
  public init(times: Bool = false) { self.times = times }
}

extension ContextOptions {
  /// A new C context that is so; it belongs to the calling thread.
  func create() throws(StreamError) -> OpaquePointer? {
    var options = mainstem_context_options()
    let size = MemoryLayout<mainstem_context_options>.size
    try StreamError.check(mainstem_context_options_init(&options, size))
    if times { options.flags |= UInt32(MAINSTEM_CONTEXT_TIMES) }
    var handle: OpaquePointer?
    try StreamError.check(mainstem_context_create(&options, &handle))
    return handle
  }
}
