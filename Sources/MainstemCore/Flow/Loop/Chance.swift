// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The seed of a context, and how many numbers were drawn from it. Every thread may draw.
struct Chance: ~Copyable {
  private(set) var seed: UInt64 = 0
  /// Whether subscriptions draw by their number within their scope, as in the sessions of 0.10.0 and before, where each
  /// one that was registered counted.
  private(set) var drawsByRegistration = false
  /// Numbers drawn outside callbacks.
  private let draws = Atomic<UInt64>(0)
  /// Choices between schedulers, if the clock is virtual.
  private let picks = Atomic<UInt64>(0)

  /// Begins anew; with seed 0, by chance.
  mutating func open(_ seed: UInt64) {
    self.seed = seed != 0 ? seed : mainstem_p_random()
    drawsByRegistration = false
    draws.store(0, ordering: .relaxed)
    picks.store(0, ordering: .relaxed)
  }

  /// The stream is fed: the seed is that of the recorded session. Under both locks.
  mutating func beginFeed(_ seed: UInt64, byRegistration: Bool) {
    self.seed = seed
    drawsByRegistration = byRegistration
  }

  /// The stream was fed up to a position: the numbers that the recorded session drew outside callbacks are not drawn
  /// again. Under both locks.
  func endFeed(at position: UInt64) {
    draws.store(SeededRandom.number(seed, .max, 1, position), ordering: .relaxed)
  }

  /// A number drawn outside callbacks.
  func draw() -> UInt64 {
    let count = draws.wrappingAdd(1, ordering: .relaxed).newValue
    return SeededRandom.number(seed, .max, 0, count)
  }

  /// A number for a choice between schedulers.
  func pick() -> UInt64 {
    let count = picks.wrappingAdd(1, ordering: .relaxed).newValue
    return SeededRandom.number(seed, .max, 1, count)
  }
}
