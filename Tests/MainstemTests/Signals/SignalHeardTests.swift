// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemSignals
import Testing

private struct Typed: Notice, TextEvent { var text: String }
private struct Settled: Notice, TextEvent { var text: String }
private struct Volume: ScalarEvent {
  static let role = Role.value
  var value: Int
}
private struct RequestSearch: Request {
  typealias Answer = ResponseSearch
  var text: String
}
private struct ResponseSearch: Response { var found: String }
private struct Looked: Notice { var place: Int }

/// Tells what it is asked.
private struct Teller: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestSearch.self) { _, search, context in
      try context.send(Typed(text: "asked \(search.text)"))
      return ResponseSearch(found: search.text)
    }
  }
}

/// Where a test puts what a server's signals get from outside.
private final class Desk { var inputs: [SignalInput<Int, Failure>] = [] }

private struct RequestLook: Request { typealias Answer = ResponseLook }
private struct ResponseLook: Response {}

/// Goes on from outside, and hears its own steps.
private struct Looker: Server {
  let desk: Desk

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(
      RequestLook.self, progress: Looked.self,
      signal: { looker, _, context in
        Signal<Int, Failure>.create { [desk = looker.desk] in
          desk.inputs.append($0)
          return nil
        }
        .merge(context.signal(of: Looked.self).map(\.place).filter { $0 < 3 }.map { $0 + 1 })
        .map { .progress(Looked(place: $0)) }
      })
  }
}

/// What is sent outside callbacks, and heard by signals on the same clock.
@Suite("Signals that hear each other") struct SignalHeardTests {
  private let folder = Folder()
  private typealias Install = (Context) throws -> [SignalRun]

  /// Records a session, verifies it, and returns what was sent.
  private func proven(
    _ install: Install, _ session: (Context) throws -> Void = { _ in }
  ) throws -> [String] {
    let path = folder.file("session")
    do {
      let context = try Context(ContextOptions(clock: .virtual))
      try context.record(to: path)
      let runs = try install(context)
      try session(context)
      try context.advance(by: .seconds(1))
      withExtendedLifetime(runs) {}
      try context.close()
    }
    let context = try Context(ContextOptions(clock: .virtual))
    let replay = try context.replay(path, mode: .verify)
    let runs = try install(context)
    do { try replay.toEnd() } catch { throw try replay.difference() ?? error }
    let info = try replay.info()
    #expect(info.verifiedUntil == info.last)
    withExtendedLifetime(runs) {}
    try context.close()
    let journal = try Journal(path)
    var lines: [String] = []
    while let event = try journal.next() { lines.append(event.line) }
    return lines
  }

  private func echo(_ context: Context, _ clock: SignalClock) -> SignalRun {
    context.signal(of: Typed.self).map { Settled(text: $0.text) }.send(through: context, on: clock)
  }

  @Test func `what is sent at a start is heard in its event`() throws {
    let lines = try proven { context in
      let clock = context.signalClock()
      let typed = Signal<String, Failure>.values(["a", "b"]).map { Typed(text: $0) }
      return [echo(context, clock), typed.send(through: context, on: clock)]
    }
    #expect(
      lines == ["#1 Typed a", "#2 Settled ← #1 a", "#3 Typed b", "#4 Settled ← #3 b"])
  }

  @Test func `a run hears what it sends itself, when it has begun`() throws {
    let lines = try proven { context in
      let heard = context.signal(of: Typed.self).map(\.text).take(3)
      return [
        Signal<String, Failure>.values(["a", "b"]).merge(heard).scan("") { $0 + $1 }
          .map { Typed(text: $0) }
          .send(through: context, on: context.signalClock())
      ]
    }
    #expect(
      lines == [
        "#1 Typed a", "#2 Typed ← #1 aba", "#3 Typed ← #2 abaaba", "#4 Typed ← #3 abaabaabaaba",
        "#5 Typed ab",
      ])
  }

  @Test func `what is set, and what a server sends when it is asked, is heard in its event`() throws
  {
    let lines = try proven { context in
      try context.install(Teller())
      let (room, clock) = (try context.scope("Room"), context.signalClock())
      let volumes = Signal<Int, Failure>.values([3, 3, 4]).map { Volume(value: $0) }
      let ask = context.signal(asking: RequestSearch(text: "tea")).map { Typed(text: $0.found) }
      return [
        echo(context, clock),
        context.signal(of: Volume.self, of: room).map { Settled(text: "\($0.value)") }
          .send(through: context, on: clock),
        volumes.set(in: room, on: clock),
        ask.send(through: context, on: clock),
      ]
    }
    #expect(
      Array(lines.prefix(10)) == [
        "#1 Volume Room 3", "#2 Settled ← #1 3", "#3 Volume Room 4", "#4 Settled ← #3 4",
        #"#5 RequestSearch {"text":"tea"}"#, "#6 Typed ← #5 Teller asked tea",
        #"#7 ResponseSearch ok ← #5 Teller {"found":"tea"}"#, "#8 Settled ← #6 asked tea",
        "#9 Typed ← #7 tea", "#10 Settled ← #9 tea",
      ])
  }

  @Test func `what comes in later outside callbacks is heard in its event, too`() throws {
    var inputs: [SignalInput<String, Failure>] = []
    let lines = try proven { context in
      let clock = context.signalClock()
      let typed = Signal<String, Failure>.create {
        inputs.append($0)
        return nil
      }
      return [
        echo(context, clock),
        typed.flatMap(.merge) { .values([$0, $0 + $0]) }.map { Typed(text: $0) }
          .send(through: context, on: clock),
      ]
    } _: { _ in
      inputs[0].next("a")
    }
    #expect(lines == ["#1 Typed a", "#2 Settled ← #1 a", "#3 Typed aa", "#4 Settled ← #3 aa"])
  }

  @Test func `a step of an answer is heard in its event`() throws {
    let desk = Desk()
    let lines = try proven { context in
      try context.install(Looker(desk: desk))
      return [
        context.signal(asking: RequestLook(), progress: Looked.self).start(
          on: context.signalClock()
        ) { _ in }
      ]
    } _: { _ in
      desk.inputs[0].next(1)
    }
    #expect(
      Array(lines.prefix(4)) == [
        "#1 RequestLook", #"#2 Looked answers #1 Looker {"place":1}"#,
        #"#3 Looked ← #2 answers #1 Looker {"place":2}"#,
        #"#4 Looked ← #3 answers #1 Looker {"place":3}"#,
      ])
  }

  @Test func `the first refusal ends the run, behind what was sent`() throws {
    let context = try Context(ContextOptions(clock: .virtual))
    let clock = context.signalClock()
    let room = try context.scope("Room")
    let closes = try context.observe(Volume.self) { _, _ in try room.close() }
    var ends: [Result<Void, Failure>] = []

    let run = Signal<Int, Failure>.values(1...3).map { Volume(value: $0) }
      .set(in: room, on: clock) { end in
        #expect(throws: Never.self) { try context.send(Typed(text: "ended")) }
        ends.append(end)
      }

    #expect(ends.count == 1)
    #expect(throws: Failure.self) { try ends[0].get() }
    #expect(run.isEnded)
    #expect(try context.stats().events == 3)
    closes.cancel()
  }

  @Test func `a run that is cancelled by what it sends sends no more`() throws {
    let context = try Context(ContextOptions(clock: .virtual))
    let clock = context.signalClock()
    var (ends, run) = (0, SignalRun?.none)
    var input: SignalInput<Int, Failure>?
    run = Signal<Int, Failure>.create {
      input = $0
      return nil
    }
    .flatMap(.merge) { .values($0...9) }.map { Typed(text: "\($0)") }
    .send(through: context, on: clock) { _ in ends += 1 }
    let cancels = try context.observe(Typed.self) { typed, _ in
      if typed.text == "3" { run?.cancel() }
    }

    input?.next(1)

    #expect(try context.stats().events == 3)
    #expect(ends == 0)
    cancels.cancel()
  }
}
