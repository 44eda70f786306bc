// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// How a context is to be.
public struct ContextOptions: Sendable, Hashable {
  /// Whether every event gets the time at which it was accepted.
  public var times: Bool
  /// Whether every callback runs inside ``Context/drain(max:)``, ``Context/wait(timeoutMs:)`` and
  /// ``Context/flush()`` only. A send then only accepts.
  public var deliverOnHost: Bool
  /// Whether it is measured how long each call of an observer takes: ``Subscription/stats()``.
  public var timing: Bool
  /// What it may use.
  public var limits: Limits
  /// By which clock timers fire.
  public var clock: ContextClock
  /// What ``Context/random()`` begins with; 0: drawn by the machine.
  public var seed: UInt64

  /// Makes options.
  ///
  /// - Parameters:
  ///   - times: Whether every event gets the time at which it was accepted.
  ///   - deliverOnHost: Whether every callback runs inside a drain, wait or flush only.
  ///   - timing: Whether it is measured how long each call of an observer takes.
  ///   - limits: What it may use.
  ///   - clock: By which clock timers fire.
  ///   - seed: What ``Context/random()`` begins with; 0: drawn by the machine.
  public init(
    times: Bool = false, deliverOnHost: Bool = false, timing: Bool = false,
    limits: Limits = Limits(),
    clock: ContextClock = .monotonic, seed: UInt64 = 0
  ) {
    self.times = times
    self.deliverOnHost = deliverOnHost
    self.timing = timing
    self.limits = limits
    self.clock = clock
    self.seed = seed
  }
}

extension ContextOptions {
  /// A new C context that is so; it belongs to the calling thread.
  func create() throws(StreamError) -> OpaquePointer? {
    var options = mainstem_context_options()
    let size = MemoryLayout<mainstem_context_options>.size
    try StreamError.check(mainstem_context_options_init(&options, size))
    if times { options.flags |= UInt32(MAINSTEM_CONTEXT_TIMES) }
    if deliverOnHost { options.flags |= UInt32(MAINSTEM_CONTEXT_DELIVER_ON_HOST) }
    if timing { options.flags |= UInt32(MAINSTEM_CONTEXT_TIMING) }
    limits.write(to: &options)
    options.clock = UInt32(clock == .virtual ? MAINSTEM_CLOCK_VIRTUAL : MAINSTEM_CLOCK_MONOTONIC)
    options.seed = seed
    var handle: OpaquePointer?
    try StreamError.check(mainstem_context_create(&options, &handle))
    return handle
  }
}
