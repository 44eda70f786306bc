// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Mainstem
import MainstemSignals
import MainstemTesting
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
private struct ResponseSearch: Response { var found: [String] }
private struct Looked: Notice { var places: Int }

/// Keeps its replies.
private final class Desk {
  var replies: [Reply<RequestSearch>] = []
  var settled = 0
}

private struct Librarian: Server {
  let desk: Desk

  static func handlers(_ on: inout Handlers<Self>) {
    on.event(RequestSearch.self) { librarian, _, delivery in
      let desk = librarian.desk
      desk.replies.append(try delivery.reply(to: RequestSearch.self))
      try delivery.onSettled { desk.settled += 1 }
      return []
    }
  }
}

@Suite("Signals of a context") struct SignalTests {
  private let folder = Folder()

  private func virtual() throws -> Context { try Context(ContextOptions(clock: .virtual, seed: 1)) }

  @Test func `events of a type are a signal, observed at each start and until its end`() throws {
    let context = try virtual()
    let signal = context.signal(of: Typed.self).map(\.text)
    let before = try context.stats().subscriptions
    var heard: [String] = []

    let run = signal.take(2).start {
      if case .next(let text) = $0 { heard.append(text) }
    }
    #expect(try context.stats().subscriptions == before + 1)
    for text in ["a", "b", "c"] { try context.send(Typed(text: text)) }

    #expect(heard == ["a", "b"])
    #expect(run.isEnded)
    #expect(try context.stats().subscriptions == before)
  }

  @Test func `a value is a signal that begins with the present one`() throws {
    let context = try virtual()
    let room = try context.scope("Room")
    try room.set(Volume(value: 3))
    var heard: [Int] = []

    let run = context.signal(of: Volume.self, of: room).start {
      if case .next(let volume) = $0 { heard.append(volume.value) }
    }
    try room.set(Volume(value: 3))
    try room.set(Volume(value: 4))

    #expect(heard == [3, 4])
    run.cancel()
    try room.set(Volume(value: 5))
    #expect(heard == [3, 4])
  }

  @Test func `a request is a signal: steps, the answer, completed`() throws {
    let context = try virtual()
    let desk = Desk()
    try context.install(Librarian(desk: desk))
    typealias Step = RequestStep<Looked, ResponseSearch>
    var heard: [SignalEvent<Step, Failure>] = []
    let signal = context.signal(asking: RequestSearch(text: "tea"), progress: Looked.self)
    #expect(desk.replies.isEmpty)

    let run = signal.start { heard.append($0) }
    #expect(desk.replies.count == 1)
    try desk.replies[0].progress(Looked(places: 2))
    try desk.replies[0].respond(ResponseSearch(found: ["leaf"]))
    try context.drain()

    #expect(
      heard == [
        .next(.progress(Looked(places: 2))), .next(.answer(ResponseSearch(found: ["leaf"]))),
        .completed,
      ])
    #expect(run.isEnded)
    #expect(desk.settled == 0)
  }

  @Test func `a cancelled run cancels its request, and a failure fails the signal`() throws {
    let context = try virtual()
    let desk = Desk()
    try context.install(Librarian(desk: desk))
    let signal = context.signal(asking: RequestSearch(text: "tea"))
    var failures: [Failure] = []

    signal.start { _ in }.cancel()
    #expect(desk.settled == 1)
    let run = signal.start {
      if case .failed(let failure) = $0 { failures.append(failure) }
    }
    try desk.replies[1].fail(Failure("CLOSED"))
    try context.drain()

    #expect(failures == [Failure("CLOSED")])
    #expect(run.isEnded)
  }

  @Test func `shared, three askers make one request`() throws {
    let context = try virtual()
    let desk = Desk()
    try context.install(Librarian(desk: desk))
    let signal = context.signal(asking: RequestSearch(text: "tea")).share()
    let clock = context.signalClock()

    let runs = (0..<3).map { _ in signal.start(on: clock) { _ in } }
    #expect(desk.replies.count == 1)
    runs[0].cancel()
    runs[1].cancel()
    #expect(desk.settled == 0)
    runs[2].cancel()
    #expect(desk.settled == 1)
  }

  @Test func `a sink sends each value, and says how it ended`() throws {
    let test = TestContext()
    let clock = test.context.signalClock()
    var ends = 0
    let run = test.context.signal(of: Typed.self).map { Settled(text: $0.text) }.take(1)
      .send(through: test.context, on: clock) { if case .success = $0 { ends += 1 } }

    test.send(Typed(text: "a"))

    test.expect(Typed(text: "a"))
    test.expect(Settled(text: "a"))
    #expect(ends == 1)
    #expect(run.isEnded)
  }

  @Test func `a sink sets a value, and ends with the first refusal`() throws {
    let context = try virtual()
    let room = try context.scope("Room")
    var ends: [Result<Void, Failure>] = []
    let run = context.signal(of: Typed.self).map { Volume(value: $0.text.count) }
      .set(in: room, on: context.signalClock()) { ends.append($0) }

    try context.send(Typed(text: "abc"))
    #expect(try room.value(of: Volume.self) == Volume(value: 3))
    try room.close()
    try context.send(Typed(text: "ab"))

    #expect(ends.count == 1)
    #expect(throws: Failure.self) { try ends[0].get() }
    #expect(run.isEnded)
  }

  @Test func `the context's clock moves signals, exactly`() throws {
    let context = try virtual()
    let clock = context.signalClock()
    var heard: [String] = []
    let run = context.signal(of: Typed.self).debounce(.milliseconds(20)).start(on: clock) { event in
      if case .next(let typed) = event {
        heard.append("\(typed.text) at \((try? context.now()) ?? -1)")
      }
    }

    try context.send(Typed(text: "a"))
    try context.advance(by: .milliseconds(15))
    try context.send(Typed(text: "b"))
    try context.advance(by: .milliseconds(15))
    #expect(heard.isEmpty)
    try context.advance(by: .milliseconds(15))

    #expect(heard == ["b at 35000000"])
    run.cancel()
    #expect(try context.stats().timers == 0)
  }

  @Test func `what a thread hands to a port wakes the context`() throws {
    let context = try virtual()
    let clock = context.signalClock()
    var heard: [Int] = []
    let run = Signal<Int, Failure>.receive { port in
      Thread.detachNewThread { for number in 0..<100 { port.next(number) } }
      return nil
    }.start(on: clock) { event in
      if case .next(let number) = event { heard.append(number) }
    }

    while heard.count < 100 { try context.wait() }

    #expect(heard == Array(0..<100))
    run.cancel()
  }

  @Test func `a signal does not keep its context, nor a clock`() throws {
    weak var kept: Context?
    var run: SignalRun?
    do {
      let context = try virtual()
      kept = context
      run = context.signal(of: Typed.self).delay(.seconds(1))
        .start(on: context.signalClock()) { _ in }
      try context.send(Typed(text: "a"))
    }
    #expect(kept == nil)
    run?.cancel()
  }

  @Test func `a session with signals is recorded, and verifies`() throws {
    let path = folder.file("signals")
    func install(_ context: Context) -> SignalRun {
      context.signal(of: Typed.self).debounce(.milliseconds(5))
        .merge(context.signal(of: Typed.self).buffer(time: .milliseconds(3)).map { $0[0] })
        .map { Settled(text: $0.text) }
        .send(through: context, on: context.signalClock())
    }
    do {
      let context = try Context()
      try context.record(to: path)
      let run = install(context)
      var settled = 0
      let counts = try context.observe(Settled.self) { _, _ in settled += 1 }
      for text in ["a", "b"] { try context.send(Typed(text: text)) }
      while settled < 2 { try context.wait() }
      try context.send(Typed(text: "c"))
      while settled < 4 { try context.wait() }
      withExtendedLifetime((run, counts)) {}
      try context.close()
    }

    var runs: [SignalRun] = []
    let info = try Journal.verify(path) { runs.append(install($0)) }

    #expect(info.verifiedUntil == info.last)
    #expect(info.last >= 8)
  }
}
