// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What the rooms keep for the deliverer alone: it needs no lock. Apart from `StreamState`, see there.
package struct DelivererState: ~Copyable {
  /// What its own callbacks sent.
  package var own = EventQueue()
  /// What it has taken over from `shared`.
  package var arrived = EventQueue()
  /// Where events near the limit of a cascade came from.
  package var cascadeLog = CascadeLog()
  /// The event being delivered, if it has memory of its own.
  package var current: QueuedEvent.Pointer?
  /// Counts the attempts of an event's callbacks that may be refused.
  package var attempts = CallbackCount()
  /// Numbers what its callbacks register that looks.
  package var looks = Looks()
  /// Counts those of first shows that no event has caused.
  package var attemptsToShow: UInt64 = 0
  /// Whose show functions are owed.
  package var shows = OwedShows()
  /// What may be delivered now.
  package var allowance = Allowance.all

  package init() {}
}
