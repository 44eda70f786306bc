// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
