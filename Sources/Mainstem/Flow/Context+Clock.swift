// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Reads the time, in nanoseconds: since 1970, or on the virtual clock. Inside a callback, in a
  /// context with ``ContextOptions/times``, it is the time of the event.
  ///
  /// - Returns: The time.
  /// - Throws: ``Status/stale`` when the context is closed.
  public func now() throws(StreamError) -> Int64 {
    var time: Int64 = 0
    try StreamError.check(mainstem_context_now(handle, &time))
    return time
  }

  /// Reads the position of the event whose callback this is. What is sent then is an output, and a replay calls the
  /// callback again.
  ///
  /// - Returns: The position. 0: outside callbacks, or in one whose events are inputs: on a scheduler, the completion
  ///   of a request from outside, a hook.
  /// - Throws: ``Status/stale`` when the context is closed.
  public func event() throws(StreamError) -> UInt64 {
    var position: UInt64 = 0
    try StreamError.check(mainstem_callback_position(handle, &position))
    return position
  }

  /// Moves a virtual clock forward. Everything that falls due happens, in order, each at its own time; tasks that sleep
  /// by ``clock`` are woken.
  ///
  /// - Parameter duration: How far, in whole milliseconds; a part of one counts as one.
  /// - Throws: ``Status/invalid`` without a virtual clock, ``Status/busy`` inside a callback.
  public func advance(by duration: Duration) throws(StreamError) {
    let milliseconds = try duration.milliseconds("advance: by")
    guard let time = types.time else { return try advance(milliseconds) }
    runTasks()
    let target = time.now + .milliseconds(milliseconds)
    repeat {
      var until = target
      if let first = time.first {
        until = min(target, .milliseconds(try first.milliseconds("advance: by")))
      }
      try advance(try (until - time.now).milliseconds("advance: by"))
      // What is woken may sleep again, or send something that is due now.
      while time.reach(until) {
        runTasks()
        try advance(0)
      }
    } while time.now < target
  }

  private func advance(_ milliseconds: Int64) throws(StreamError) {
    try StreamError.check(mainstem_context_advance(handle, milliseconds))
  }
}

// MARK: - Numbers and ids that a replay repeats

extension Context {
  /// Draws a number that looks random, but is the same in every run with the same ``ContextOptions/seed``
  /// and inputs. Not for secrets.
  ///
  /// - Returns: The number. Inside a callback, what others draw does not change it.
  /// - Throws: ``Status/stale`` when the context is closed.
  public func random() throws(StreamError) -> UInt64 {
    var number: UInt64 = 0
    try StreamError.check(mainstem_context_random(handle, &number))
    return number
  }

  /// Makes an id, as text in the form of a version 4 UUID, from two numbers of ``random()``. It looks unique,
  /// but is the same in every run with the same seed and inputs.
  ///
  /// - Returns: 36 characters.
  /// - Throws: ``Status/stale`` when the context is closed.
  public func id() throws(StreamError) -> String {
    var text = [CChar](repeating: 0, count: Int(MAINSTEM_ID_SIZE))
    try StreamError.check(mainstem_context_id(handle, &text))
    return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

// MARK: - For tasks

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

/// A virtual clock as tasks see it, and who sleeps by it.
///
/// Sendable because the lock guards its mutable state.
final class VirtualTime: @unchecked Sendable {
  private let lock = Lock()
  private var reached = Duration.zero
  /// Who sleeps, by the time at which they are due; those of one time in the order in which they began.
  private var sleepers: [Sleeper] = []

  var now: Duration { lock.locked { reached } }

  /// How many sleep.
  var count: Int { lock.locked { sleepers.count } }

  /// When the first sleeper is due; nil: nobody sleeps.
  var first: Duration? { lock.locked { sleepers.first?.due } }

  func sleep(until due: Duration) async throws {
    let sleeper = Sleeper(due)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        lay(sleeper, waiter)?()
      }
    } onCancel: {
      cancel(sleeper)
    }
  }

  /// Time has come as far as this.
  ///
  /// - Returns: Whether somebody has been woken.
  func reach(_ time: Duration) -> Bool {
    let woken = lock.locked {
      reached = max(reached, time)
      let due = sleepers.prefix { $0.due <= reached }
      sleepers.removeFirst(due.count)
      return due
    }
    for sleeper in woken { sleeper.waiter?.resume() }
    return !woken.isEmpty
  }

  /// Lets it sleep.
  ///
  /// - Returns: What is to be called instead: its time has come, or it has been cancelled already.
  private func lay(
    _ sleeper: Sleeper, _ waiter: CheckedContinuation<Void, any Error>
  ) -> (() -> Void)? {
    lock.locked {
      if sleeper.isCancelled { return { waiter.resume(throwing: CancellationError()) } }
      if sleeper.due <= reached { return { waiter.resume() } }
      sleeper.waiter = waiter
      let place = sleepers.firstIndex { $0.due > sleeper.due } ?? sleepers.endIndex
      sleepers.insert(sleeper, at: place)
      return nil
    }
  }

  private func cancel(_ sleeper: Sleeper) {
    let waiter: CheckedContinuation<Void, any Error>? = lock.locked {
      sleeper.isCancelled = true
      guard let place = sleepers.firstIndex(where: { $0 === sleeper }) else { return nil }
      return sleepers.remove(at: place).waiter
    }
    waiter?.resume(throwing: CancellationError())
  }
}

/// Sendable because its mutable state is only touched under the lock of its clock.
private final class Sleeper: @unchecked Sendable {
  let due: Duration
  var waiter: CheckedContinuation<Void, any Error>?
  var isCancelled = false

  init(_ due: Duration) { self.due = due }
}

// MARK: - Durations as C takes them

extension Duration {
  /// Whole milliseconds, as C takes them, rounded up: nothing happens too early.
  ///
  /// - Parameters:
  ///   - argument: The argument it was given for.
  ///   - least: The least that the argument may be.
  /// - Throws: ``Status/invalid`` for less, and for more milliseconds than there are numbers.
  package func milliseconds(_ argument: String, least: Int64 = 0) throws(StreamError) -> Int64 {
    try whole(1_000_000_000_000_000, perSecond: 1000, argument, least: least)
  }

  /// Whole microseconds, rounded up.
  func microseconds(_ argument: String) throws(StreamError) -> Int64 {
    try whole(1_000_000_000_000, perSecond: 1_000_000, argument, least: 0)
  }

  private func whole(
    _ unit: Int64, perSecond: Int64, _ argument: String, least: Int64
  ) throws(StreamError) -> Int64 {
    let (seconds, attoseconds) = components
    let (product, isTooLong) = seconds.multipliedReportingOverflow(by: perSecond)
    // Both parts have the same sign.
    let rest = attoseconds > 0 ? (attoseconds - 1) / unit + 1 : attoseconds / unit
    let (count, isLonger) = product.addingReportingOverflow(rest)
    if isTooLong || isLonger {
      throw StreamError(.invalid, "\(argument): \(self) is longer than the library can count")
    }
    if self < .zero || count < least {
      throw StreamError(
        .invalid, "\(argument): \(self), and it must be \(least > 0 ? "more than 0" : "0 or more")")
    }
    return count
  }
}
