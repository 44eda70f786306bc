// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The time of a context, for tasks: what a handler that awaits sleeps by.
///
///     on.answer(RequestExport.self) { request async throws in
///       try await Task.sleep(for: .seconds(1), clock: .context)
///       return ResponseExported(file: "\(request.name).pdf")
///     }
///
/// In a context with a virtual clock, as in tests, it stands still until that moves. Elsewhere it is the machine's
/// monotonic clock.
public struct TaskClock: Clock {
  /// A point in time, on one clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock began.
    let since: Duration

    /// Returns a later instant, or an earlier one for a negative duration.
    public func advanced(by duration: Duration) -> Instant { Instant(since: since + duration) }

    /// Returns how much later another instant is.
    public func duration(to other: Instant) -> Duration { other.since - since }

    /// Whether the first instant is the earlier one.
    public static func < (one: Instant, other: Instant) -> Bool { one.since < other.since }
  }

  private static let began = ContinuousClock.now
  @TaskLocal static var local = TaskClock(time: nil)

  /// Nil: the machine's.
  let time: VirtualTime?

  /// The present time.
  public var now: Instant {
    Instant(since: time?.now ?? Self.began.duration(to: ContinuousClock.now))
  }

  /// A virtual clock moves by milliseconds.
  public var minimumResolution: Duration {
    time == nil ? ContinuousClock().minimumResolution : .milliseconds(1)
  }

  /// Sleeps until a time has come.
  ///
  /// - Parameters:
  ///   - deadline: The time.
  ///   - tolerance: How much later it may be. On a virtual clock it is never later.
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    if let time { return try await time.sleep(until: deadline.since) }
    try await ContinuousClock().sleep(
      until: Self.began.advanced(by: deadline.since), tolerance: tolerance)
  }
}

extension Clock where Self == TaskClock {
  /// In the task of a handler: the clock of its context. In other tasks: the machine's monotonic clock.
  public static var context: TaskClock { TaskClock.local }
}

extension Context {
  /// Its clock, for tasks: ``TaskClock``. A server that sleeps elsewhere than in the task of a handler keeps it.
  public var clock: TaskClock { TaskClock(time: types.time) }
}
