// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import MainstemSignals
import MainstemTesting

/// SplitMix64.
struct Chance: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}

extension Chain {
  /// A random chain. Times are small numbers, so that much happens at the same time.
  static func random(_ depth: Int, _ chance: inout Chance) -> Chain {
    guard depth > 0, chance.number(0...9) > 0 else { return .timeline(events(&chance)) }
    return chance.number(0...2) == 0 ? joined(depth - 1, &chance) : single(depth - 1, &chance)
  }

  private static func single(_ depth: Int, _ chance: inout Chance) -> Chain {
    let chain = random(depth, &chance)
    let (time, count) = (chance.number(0...6), chance.number(0...3))
    return switch chance.number(0...15) {
    case 0: .map(chain)
    case 1: .filter(chain)
    case 2: .compactMap(chain)
    case 3: .tryMap(chain)
    case 4: .scan(chain)
    case 5: .distinct(chain)
    case 6: .skip(count, chain)
    case 7: .take(count, chain)
    case 8: .startWith(count, chain)
    case 9: .retry(count, chain)
    case 10: .repeat(count, chain)
    case 11: .debounce(time, chain)
    case 12: .throttle(time, count > 1, chain)
    case 13: .delay(time, chain)
    case 14: .buffer(time, count + 1, chain)
    default: .timeout(time, chain)
    }
  }

  private static func joined(_ depth: Int, _ chance: inout Chance) -> Chain {
    let (one, other) = (random(depth, &chance), random(depth, &chance))
    return switch chance.number(0...8) {
    case 0: .takeUntil(one, other)
    case 1: .merge(one, other)
    case 2: .combineLatest(one, other)
    case 3: .zip(one, other)
    case 4: .concat(one, other)
    case 5: .flatMap(.merge, one, other)
    case 6: .flatMap(.latest, one, other)
    case 7: .flatMap(.concat, one, other)
    default: .catch(one, other)
    }
  }

  private static func events(_ chance: inout Chance) -> [(time: Int, event: Event)] {
    var time = 0
    var events: [(time: Int, event: Event)] = []
    for _ in 0..<chance.number(0...5) {
      time += chance.number(0...4)
      events.append((time, .next(chance.number(0...9))))
    }
    time += chance.number(0...4)
    switch chance.number(0...5) {
    case 0: break
    case 1, 2: events.append((time, .failed(MarbleFailure())))
    default: events.append((time, .completed))
    }
    return events
  }
}
