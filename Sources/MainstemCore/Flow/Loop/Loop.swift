// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// The room of the host's loop: what waits for it, how it is woken, and its clock. Under the stream's lock; every thread
/// may ask the clock and draw numbers.
package struct Loop: ~Copyable {
  /// First, and no atomic: see `StreamState`.
  package var wake = Wake()
  var inbox = Inbox()
  var deadlines = Deadlines()
  var timers = Timers()
  var tasks = DrainTasks()
  var clock = Clock()
  var chance = Chance()
  /// What the next drain with a limit begins with.
  var nextKind = DrainKind.timers
  /// The address of the `InterruptRing`; 0: none was made.
  private let ring = Atomic<UInt>(0)

  package init() {}
}

/// What waits for the host, in the order in which a drain runs it.
enum DrainKind {
  case timers, posts, held, handedOver, tasks

  var next: DrainKind {
    switch self {
    case .timers: .posts
    case .posts: .held
    case .held: .handedOver
    case .handedOver: .tasks
    case .tasks: .timers
    }
  }
}

extension Loop {
  /// Begins anew, for another context.
  package mutating func open(isVirtual: Bool, seed: UInt64) {
    clock.open(isVirtual: isVirtual)
    chance.open(seed)
  }

  /// Ends what is left when the context closes. All timers have ended, and no signal is on its way.
  ///
  /// - Returns: The wake hook, for the caller to release.
  package mutating func close() -> Wake.Hook {
    deadlines.free()
    timers = Timers()
    tasks.drop()
    nextKind = .timers
    return wake.close()
  }

  /// Whether the inbox has something.
  var hasPosts: Bool { inbox.count > 0 }

  /// The ring, if one was ever made in this memory.
  var interrupts: InterruptRing.Pointer? {
    InterruptRing.Pointer(bitPattern: ring.load(ordering: .acquiring))
  }

  /// The ring, if signal handlers of this context may post.
  var openInterrupts: InterruptRing.Pointer? { wake.hasInterrupts ? interrupts : nil }

  func keep(_ ring: InterruptRing.Pointer) {
    self.ring.store(UInt(bitPattern: ring), ordering: .releasing)
  }

  package func readStats(into stats: UnsafeMutablePointer<mainstem_context_stats>) {
    stats.pointee.waiting = UInt64(inbox.count &+ (openInterrupts?.pointee.count ?? 0))
    stats.pointee.timers = timers.count
    stats.pointee.timers_missed = timers.missed
  }
}
