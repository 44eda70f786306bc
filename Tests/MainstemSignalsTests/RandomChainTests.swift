// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MainstemSignals
import MainstemTesting
import Testing

/// Random chains send what a reference works out on lists of times and events.
///
/// MAINSTEM_SIGNAL_CHAINS sets how many, MAINSTEM_TURN where their seeds begin. On 23 November 2026 the seeds 1 to 600,000
/// passed.
@Suite("Random chains")
struct RandomChainTests {
  private static func number(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  @Test func `a random chain sends what the reference works out`() {
    let count = Self.number("MAINSTEM_SIGNAL_CHAINS", 10_000)
    let first = 1 + Self.number("MAINSTEM_TURN", 0) * count
    var sent = 0
    for seed in first..<(first + count) {
      var chance = Chance(state: UInt64(seed))
      let chain = Chain.random(chance.number(1...5), &chance)
      let wanted = chain.course(0).all.map { "\($0.time ?? 0): \($0.event)" }
      let heard = heard(chain.signal)
      sent += heard.count
      #expect(heard == wanted, "seed \(seed): \(chain)")
      if heard != wanted { return }
    }
    #expect(sent > 0)
  }

  @Test func `a shared random chain tells both of its listeners everything`() {
    for seed in 1...200 {
      var chance = Chance(state: UInt64(seed))
      let chain = Chain.random(3, &chance)
      let shared = chain.signal.share()
      let clock = VirtualClock()
      var (one, other): ([String], [String]) = ([], [])
      let runs = [
        shared.start(on: clock) { one.append("\($0)") },
        shared.start(on: clock) { other.append("\($0)") },
      ]
      clock.advance(by: .seconds(1))
      let all = chain.course(0).all
      #expect(one == all.map { "\($0.event)" })
      // What comes at time 0 is heard by the first alone; after an end the second starts anew.
      let isOver = all.contains { $0.time ?? 0 == 0 && $0.event.isEnd }
      #expect(other == all.filter { isOver || $0.time ?? 0 > 0 }.map { "\($0.event)" })
      for run in runs { run.cancel() }
    }
  }

  private func heard(_ signal: Signal<Int, MarbleFailure>) -> [String] {
    var heard: [String] = []
    let clock = VirtualClock()
    let run = signal.start(on: clock) { event in
      heard.append("\(clock.now / Duration.milliseconds(1)): \(event)".replacing(".0:", with: ":"))
    }
    clock.advance(by: .seconds(10))
    run.cancel()
    #expect(clock.next == nil)
    return heard
  }
}
