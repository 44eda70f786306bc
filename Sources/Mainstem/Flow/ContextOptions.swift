// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Options for a new context.
public struct ContextOptions: Sendable, Hashable {
  /// Whether each event carries the time at which it was accepted.
  public var times: Bool
  /// Whether a send only accepts, and all callbacks run inside ``Context/drain(max:)``,
  /// ``Context/wait(timeout:interrupt:)`` and ``Context/flush()``.
  public var deliverOnHost: Bool
  /// Whether to measure how long each observer call takes: see ``Subscription/stats()``.
  public var timing: Bool
  /// What the context may use.
  public var limits: Limits
  /// The clock of its timers.
  public var clock: ContextClock
  /// The seed of ``Context/random()``; 0: the machine picks one.
  public var seed: UInt64
  /// Whether signal handlers written in C may post to it, by `mainstem_post_from_interrupt`.
  public var interrupts: Bool

  /// Makes options.
  ///
  /// - Parameters:
  ///   - times: Whether each event carries the time at which it was accepted.
  ///   - deliverOnHost: Whether all callbacks run only inside a drain, wait or flush.
  ///   - timing: Whether to measure how long each observer call takes.
  ///   - limits: What the context may use.
  ///   - clock: The clock of its timers.
  ///   - seed: The seed of ``Context/random()``; 0: the machine picks one.
  ///   - interrupts: Whether signal handlers written in C may post to it.
  public init(
    times: Bool = false, deliverOnHost: Bool = false, timing: Bool = false,
    limits: Limits = Limits(),
    clock: ContextClock = .monotonic, seed: UInt64 = 0, interrupts: Bool = false
  ) {
    self.times = times
    self.deliverOnHost = deliverOnHost
    self.timing = timing
    self.limits = limits
    self.clock = clock
    self.seed = seed
    self.interrupts = interrupts
  }
}

extension ContextOptions {
  /// Creates a C context with these options.
  ///
  /// - Parameter isGuarded: Whether one thread at a time uses it, not always the same; otherwise it belongs to the
  ///   calling thread.
  func create(isGuarded: Bool = false) throws(StreamError) -> OpaquePointer? {
    var options = mainstem_context_options()
    options.size = UInt32(MemoryLayout<mainstem_context_options>.size)
    options.threads = UInt32(isGuarded ? MAINSTEM_THREADS_GUARDED : MAINSTEM_THREADS_ONE)
    if times { options.flags |= UInt32(MAINSTEM_CONTEXT_TIMES) }
    if deliverOnHost { options.flags |= UInt32(MAINSTEM_CONTEXT_DELIVER_ON_HOST) }
    if timing { options.flags |= UInt32(MAINSTEM_CONTEXT_TIMING) }
    if interrupts { options.flags |= UInt32(MAINSTEM_CONTEXT_INTERRUPTS) }
    limits.write(to: &options)
    options.clock = UInt32(clock == .virtual ? MAINSTEM_CLOCK_VIRTUAL : MAINSTEM_CLOCK_MONOTONIC)
    options.seed = seed
    var handle: OpaquePointer?
    try StreamError.check(mainstem_context_create(&options, &handle))
    return handle
  }
}
