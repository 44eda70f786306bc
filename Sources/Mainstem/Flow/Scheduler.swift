// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// When an observer's callbacks run, on the context's thread.
///
/// For callbacks on another thread, use a ``SerialScheduler``.
public struct Scheduler: Sendable, Hashable {
  let number: mainstem_scheduler

  /// At once, inside the call that delivers. The default.
  public static let immediate = Scheduler(number: UInt32(MAINSTEM_SCHEDULER_IMMEDIATE))

  /// Only inside ``Context/drain(max:)``, ``Context/wait(timeout:interrupt:)`` and ``Context/flush()``.
  public static let host = Scheduler(number: UInt32(MAINSTEM_SCHEDULER_HOST))
}
