// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemSignals
import Testing

private struct Typed: Notice, TextEvent { var text: String }
private struct Settled: Notice, TextEvent { var text: String }

/// A program whose signals count time from its start.
private func install(_ context: Context) -> SignalRun {
  let typed = context.signal(of: Typed.self)
  let texts: [Signal<String, Failure>] = [
    typed.map(\.text).debounce(.milliseconds(5)),
    Signal.every(.milliseconds(10)).failing(as: Failure.self).take(5).map { "tick \($0)" },
    Signal<Int, Failure>.values(1...3).delay(.milliseconds(12)).map { "delayed \($0)" },
    typed.map(\.text).timeout(.milliseconds(21), Failure("QUIET")).catch { _ in .just("quiet") },
    typed.map(\.text).startWith("start").throttle(.milliseconds(9)).map { "throttled \($0)" },
  ]
  return Signal<Signal<String, Failure>, Failure>.values(texts).flatMap(.merge) { $0 }
    .map { Settled(text: $0) }
    .send(through: context, on: context.signalClock())
}

@Suite("Replays of signals") struct SignalReplayTests {
  private let folder = Folder()

  /// Seconds on a virtual clock when a session is verified; nil: the machine's clock.
  static let times: [Int?] = [0, 499, 8_000_000_000, nil]

  private func record(
    _ path: String, _ options: ContextOptions, _ wait: (Context, Int) throws -> Void
  ) throws {
    let context = try Context(options)
    if options.clock == .virtual { try context.advance(by: .seconds(500)) }
    try context.record(to: path)
    let run = install(context)
    for wanted in [2, 7, 4, 8, 3, 9, 30] {
      try context.send(Typed(text: "after \(wanted)"))
      try wait(context, wanted)
    }
    withExtendedLifetime(run) {}
    try context.close()
  }

  private func verify(_ path: String, at time: Int?) throws {
    let context = try Context(ContextOptions(clock: time == nil ? .monotonic : .virtual))
    if let time { try context.advance(by: .seconds(time)) }
    let replay = try context.replay(path, mode: .verify)
    let run = install(context)
    do { try replay.toEnd() } catch { throw try replay.difference() ?? error }

    let info = try replay.info()
    #expect(info.verifiedUntil == info.last)
    #expect(info.last >= 20)
    withExtendedLifetime(run) {}
    try context.close()
  }

  @Test(arguments: times)
  func `a session on the virtual clock verifies at another time`(time: Int?) throws {
    let path = folder.file("virtual")
    try record(path, ContextOptions(clock: .virtual)) { try $0.advance(by: .milliseconds($1)) }

    try verify(path, at: time)
  }

  @Test(arguments: times)
  func `a session on the machine's clock verifies at another time`(time: Int?) throws {
    let path = folder.file("machine")
    try record(path, ContextOptions()) { context, milliseconds in
      let end = ContinuousClock.now + .milliseconds(milliseconds)
      while ContinuousClock.now < end { try? context.wait(timeout: .milliseconds(1)) }
    }

    try verify(path, at: time)
  }

  @Test func `a session whose signals tick from the start sends at these times`() throws {
    let context = try Context(ContextOptions(clock: .virtual))
    try context.advance(by: .seconds(500))
    var lines: [String] = []
    let log = try context.observe(Settled.self) { settled, _ in
      lines.append("\(settled.text)@\(try context.now() / 1_000_000 - 500_000)")
    }
    let run = install(context)
    try context.advance(by: .milliseconds(25))

    #expect(
      lines == [
        "throttled start@0", "tick 0@10", "delayed 1@12", "delayed 2@12", "delayed 3@12",
        "tick 1@20", "quiet@21",
      ])
    withExtendedLifetime((run, log)) {}
  }
}
