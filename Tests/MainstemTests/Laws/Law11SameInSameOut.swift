// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemJSON
import Testing

private struct Tick: Notice { var number: Int }
private struct Drawn: Notice { var number: UInt64 }

/// Law 11: same in, same out, as far as there is no journal yet.
extension LawTests {
  @Test func `law 11: one seed gives the same in every run`() throws {
    let seen = try play(seed: 7)
    #expect(seen.count > 10)
    #expect(try play(seed: 7) == seen)
  }

  @Test func `law 11: another seed gives something else`() throws {
    #expect(try play(seed: 7) != play(seed: 8))
    #expect(try play(seed: 0) != play(seed: 0))
  }

  @Test func `law 11: who looks changes nothing`() throws {
    #expect(try play(seed: 7, isInspected: true) == play(seed: 7))
  }
}

/// What a program saw that draws, sends and arms timers.
private func play(seed: UInt64, isInspected: Bool = false) throws -> [String] {
  let context = try Context(ContextOptions(times: true, clock: .virtual, seed: seed))
  var seen: [String] = []
  var subscriptions: [Subscription] = []
  subscriptions.append(
    try context.observe(Tick.self) { _, delivery in
      guard let number = try? context.random() else { return }
      try? context.send(Drawn(number: number))
      guard delivery.time < 5_000_000 else { return }
      _ = try? context.send(Tick(number: 1), afterMs: Int64(number % 3) + 1)
    })
  subscriptions.append(
    try context.observe { delivery in
      let drawn = (try? "\(context.random()) \(context.id()) \(context.now())") ?? "nothing"
      seen.append("\(delivery.line) at \(delivery.time): \(drawn)")
    })
  if isInspected {
    subscriptions.append(
      try context.observe { _ in
        _ = try? context.stats()
        _ = try? context.random()
      })
  }
  try context.send(Tick(number: 0))
  try context.send(Tick(number: 2), everyMs: 2)
  try context.advance(byMs: 9)
  seen.append("\(try context.random())")
  for subscription in subscriptions { subscription.cancel() }
  return seen
}
