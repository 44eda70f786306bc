// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Tick: Notice { var number: Int }
private struct Drawn: Notice { var number: UInt64 }

/// Law 11: same in, same out.
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

  @Test func `law 11: a journal proves itself, whoever looks`() throws {
    let folder = Folder()
    let path = folder.file("journal")
    let recorded = try Context(ContextOptions(seed: 7))
    try recorded.record(to: path)
    let first = try draw(in: recorded, more: 0)
    for number in 1...20 { try recorded.send(Tick(number: number)) }
    first.cancel()
    try recorded.close()

    for _ in 1...2 {
      let context = try Context()
      let replay = try context.replay(path, mode: .verify)
      let looking = try context.scope("Looking").observe { _ in _ = try? context.stats() }
      let second = try draw(in: context, more: 0)
      try replay.toEnd()
      #expect(try replay.info().same == 20)
      #expect(try replay.info().provesUntil == 40)
      second.cancel()
      looking.cancel()
    }
  }

  @Test func `law 11: the first difference is named`() throws {
    let folder = Folder()
    let path = folder.file("journal")
    let recorded = try Context()
    try recorded.record(to: path)
    let first = try draw(in: recorded, more: 0)
    for number in 1...20 { try recorded.send(Tick(number: number)) }
    first.cancel()
    try recorded.close()

    let context = try Context()
    let replay = try context.replay(path, mode: .verify)
    let second = try draw(in: context, more: 17)
    #expect(status { () throws(StreamError) in try replay.toEnd() } == .different)
    #expect(try replay.difference()?.position == 34)
    #expect(try replay.difference()?.field == .payload)
    second.cancel()
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

/// Answers each tick with a number that is drawn; otherwise for one of them.
private func draw(in context: Context, more: Int) throws -> Subscription {
  try context.observe(Tick.self) { tick, _ in
    let number = try context.random() >> 1
    try context.send(Drawn(number: tick.number == more ? number + 1 : number))
  }
}
