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

/// Numbers and ids that programs draw.
extension Stream {
  /// The next number for the caller; inside a callback, one that depends on that callback alone.
  package func draw() -> UInt64 {
    guard let frame = Frame.of(self), let event = frame.pointee.event else {
      return state.pointee.loop.chance.draw()
    }
    let count = frame.pointee.countDraw()
    return SeededRandom.number(
      state.pointee.loop.seed, event.pointee.position, subscription(frame), UInt64(count))
  }

  /// Whether a session of 0.10.0 or before is replayed, in which less was refused.
  package var followsOldSession: Bool { state.pointee.loop.chance.drawsByRegistration }

  /// Identifies the subscription of a call, the same in every run. What only looks has no influence: it draws nothing.
  private func subscription(_ frame: UnsafeMutablePointer<Frame>) -> UInt64 {
    guard let row = frame.pointee.row, row.pointee.number != 0 else { return 0 }
    guard !followsOldSession else {
      return row.pointee.scope.pointee.identity &+ UInt64(row.pointee.number)
    }
    if row.pointee.drawsAs == 0 { row.pointee.drawsAs = locked { numberDrawer(row) } }
    return row.pointee.drawsAs
  }

  /// The identity of a subscription that draws for the first time: its scope, what it looks at and how, and how many
  /// others like it have drawn in that scope before. Never 0. Under the lock.
  private func numberDrawer(_ row: Subscription.Pointer) -> UInt64 { number(row, as: 0) }

  /// The same of one that registers observers inside a callback for the first time.
  func numberLooker(_ row: Subscription.Pointer) -> UInt64 { number(row, as: 1) }

  @inline(never)
  private func number(_ row: Subscription.Pointer, as role: UInt64) -> UInt64 {
    let scope = row.pointee.scope
    let group = SeededRandom.number(
      scope.pointee.identity, identity(of: row.pointee.filter), row.pointee.call.kind, role)
    // Without memory it is only unique.
    let which =
      state.pointee.scopes.numbers.countDrawer(group, in: &scope.pointee.drawers)
      ?? row.pointee.serial | 1 << 63
    return max(SeededRandom.number(group, which, 0, 0), 1)
  }

  /// The same in every run: by the names of types, since their numbers may be others. Under the lock.
  private func identity(of filter: Filter) -> UInt64 {
    switch filter {
    case .nothing: return 0
    case .one(let type): return identity(ofType: type)
    case .several(let types, let count):
      var (sum, index): (UInt64, Int) = (0, 0)
      while index < count {
        sum &+= identity(ofType: types[index])
        index &+= 1
      }
      return sum
    case .pattern(let pattern):
      let own = pattern.layers & (1 << UInt64(Layers.ownCount) &- 1)
      return SeededRandom.number(pattern.role, own, 0, 0)
    }
  }

  private func identity(ofType type: UInt32) -> UInt64 {
    SeededRandom.number(ofName: state.pointee.types[type]?.name.bytes ?? Bytes(""), 0)
  }

  /// Writes an id of 36 characters and a terminating zero: a UUID of version 4.
  package func writeID(_ text: UnsafeMutablePointer<CChar>) {
    let high = draw() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = draw() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    var digit = 0
    var place = 0
    while place < 36 {
      if place == 8 || place == 13 || place == 18 || place == 23 {
        text[place] = 0x2D
      } else {
        let half = digit < 16 ? high : low
        let value = CChar(truncatingIfNeeded: half >> UInt64(60 &- digit % 16 &* 4) & 15)
        text[place] = value < 10 ? 0x30 &+ value : 0x57 &+ value
        digit &+= 1
      }
      place &+= 1
    }
    text[36] = 0
  }
}

extension Loop {
  /// One of a number of schedulers, by the seed alone.
  package func pick(below count: UInt64) -> UInt64 { chance.pick() % count }

  package var seed: UInt64 { chance.seed }
}

extension Scopes {
  /// Whether the numbers of scopes have 64 bits, as in sessions of 0.10 and before.
  package var hasWideNumbers: Bool { numbers.areWide }
}
