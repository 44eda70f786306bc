// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// When the callbacks of an observer run, on the thread of the context.
///
/// For callbacks on a thread of their own there is a ``SerialScheduler``.
public struct Scheduler: Sendable, Hashable {
  let number: mainstem_scheduler

  /// At once, inside the call that delivers: the default.
  public static let immediate = Scheduler(number: UInt32(MAINSTEM_SCHEDULER_IMMEDIATE))

  /// Inside ``Context/drain(max:)``, ``Context/wait(timeoutMs:)`` and ``Context/flush()`` only.
  public static let host = Scheduler(number: UInt32(MAINSTEM_SCHEDULER_HOST))
}
