// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Mainstem
import MainstemSignals
import Testing

private struct Paid: Notice, ScalarEvent { var value: Int }
private struct ResponseLater: Response { var number: Int }
private struct RequestLater: Request {
  typealias Answer = ResponseLater
  var number: Int
}

/// Random numbers that follow from a seed.
private struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 11 &+ state << 43
  }

  mutating func roll(_ most: Int) -> Int { Int.random(in: 0...most, using: &self) }
}

/// Answers at once, later, never, or fails.
private struct Later: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(
      RequestLater.self,
      signal: { _, request, _ in
        let answer = Signal<ResponseLater, Failure>.just(ResponseLater(number: request.number))
        return switch request.number % 5 {
        case 0, 1: answer
        case 2: .failed(Failure("LATER", userMessage: "Later \(request.number)."))
        case 3: answer.delay(.milliseconds(request.number % 9))
        default: .never
        }
      })
  }
}

private struct Step: Codable, Equatable, Identifiable { var id: Int }

private struct StepCell: ViewModel {
  var step: Step

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("id", \.step.id)
    on.command("pay") { cell, run in run.send(Paid(value: cell.step.id)) }
  }
}

/// Adds numbers: how, and when, the number says that an action carries.
private struct Adder: Reactor {
  enum Action { case add(Int), walk(Int), wait(Int), stop, begin }
  struct State: Codable {
    var total = 0
    var steps: [Step] = []
    var count = 0
    var may: Bool { count % 5 != 4 }
  }
  var state = State()

  func mutate(_ action: Action) throws -> Signal<Int, Failure> {
    switch action {
    case .add(let seed):
      var dice = Dice(state: UInt64(seed))
      if dice.roll(9) == 0 { throw Failure("ADD", userMessage: "Add \(seed).") }
      return chain(3, &dice)
    case .walk(let seed), .wait(let seed):
      var dice = Dice(state: UInt64(seed))
      return chain(4, &dice)
    case .stop: return .just(1000)
    case .begin: return Signal.values(1...3).merge(asking(RequestLater(number: 3)).map(\.number))
    }
  }

  private func chain(_ depth: Int, _ dice: inout Dice) -> Signal<Int, Failure> {
    guard depth > 0, dice.roll(7) > 0 else { return source(&dice) }
    let (first, time) = (chain(depth - 1, &dice), Duration.milliseconds(dice.roll(8)))
    switch dice.roll(11) {
    case 0: return first.delay(time)
    case 1: return first.debounce(time)
    case 2: return first.throttle(time)
    case 3: return first.take(dice.roll(3))
    case 4: return first.timeout(time, Failure("SLOW"))
    case 5: return first.retry(1)
    case 6: return first.catch { [self] _ in current.map { -$0.count } }
    case 7: return first.flatMap(.latest) { [self] number in asked(number) }
    case 8: return first.scan(0, +)
    case 9: return first.merge(chain(depth - 1, &dice))
    case 10: return first.concat(chain(depth - 1, &dice))
    default: return first.takeUntil(chain(depth - 1, &dice))
    }
  }

  private func source(_ dice: inout Dice) -> Signal<Int, Failure> {
    let (number, time) = (dice.roll(50), Duration.milliseconds(1 + dice.roll(5)))
    return switch dice.roll(5) {
    case 0, 1: .values(0...(number % 3))
    case 2: Signal.every(time).failing(as: Failure.self).take(number % 4)
    case 3: asked(number)
    case 4: current.map { $0.total % 7 }
    default: .failed(Failure("RANDOM", userMessage: "Random \(number)."))
    }
  }

  private func asked(_ number: Int) -> Signal<Int, Failure> {
    asking(RequestLater(number: abs(number % 1000)), timeout: .milliseconds(6)).map(\.number)
  }

  func transform(mutation: Int) -> Int? { mutation == 13 ? nil : mutation }

  static func reduce(_ state: inout State, _ number: Int) {
    state.total += number
    state.count += 1
    state.steps = state.steps.suffix(2) + [Step(id: state.count / 3)]
    if state.steps.count > 1, state.steps.suffix(2).first == state.steps.last {
      state.steps.removeLast()
    }
  }

  static func shown(_ on: inout Shown<Self>) {
    on.shows("total", \.total)
    on.shows("may", \.may)
    on.pulse("alert") { $0 % 4 == 0 ? "\($0)" : nil }
    on.children("cells", \.steps) { StepCell(step: $0) }
    on.merges(Paid.self) { _, paid in paid.value % 3 == 0 ? nil : paid.value }
    on.action("add", Action.add, enabled: \.may)
    on.action("walk", Action.walk, policy: .latest, cancelledBy: "stop")
    on.action("wait", Action.wait, policy: .queue)
    on.action("stop", .stop)
    on.action("begin", .begin, policy: .concurrent)
    on.opened("begin")
  }
}

/// What a user and others do from outside, at random.
private final class Host {
  let context: Context
  private let home: Context
  private var dice: Dice
  private var views: [Binding] = []
  private var runs: [Pending] = []
  private var cells: [UInt64] = []
  private var owners: [Context] = []

  init(_ context: Context, _ home: Context, _ seed: UInt64) throws {
    (self.context, self.home, dice) = (context, home, Dice(state: seed))
    try look(at: home)
  }

  private func look(at owner: Context?) throws {
    views.append(
      try context.bind(to: owner) { [unowned self] rows in
        rows.show("cells") { [unowned self] (numbers: [UInt64]) in cells = numbers }
      })
  }

  func act() throws {
    let view = views[dice.roll(views.count - 1)]
    // What is refused, or has ended, is a step, too.
    switch dice.roll(11) {
    case 0...2: keep(try? view.run("add", dice.roll(1 << 30)) { _ in })
    case 3, 4: keep(try? view.run("walk", dice.roll(1 << 30)) { _ in })
    case 5: keep(try? view.run("wait", dice.roll(1 << 30)) { _ in })
    case 6: keep(try? view.run("stop") { _ in })
    case 7: try context.send(Paid(value: dice.roll(20)))
    case 8: if !runs.isEmpty { runs.remove(at: dice.roll(runs.count - 1)).cancel() }
    case 9: try pay()
    case 10: try open()
    default: if owners.count > 2 { try owners.removeFirst().close() }
    }
    try context.advance(by: .milliseconds(dice.roll(5)))
  }

  private func keep(_ run: Pending?) {
    if let run { runs.append(run) }
  }

  private func pay() throws {
    guard let cell = cells.last, let scope = try context.scope(number: cell) else { return }
    let view = try context.bind(to: scope) { _ in }
    try view.run("pay")
    view.end()
  }

  private func open() throws {
    guard views.count < 4 else { return }
    let number = try context.open("Adder", dice.roll(50)).get()
    if let owner = try context.scope(number: number) {
      owners.append(owner)
      try look(at: owner)
    }
  }
}

/// MAINSTEM_REACTOR_SESSIONS sets how many, MAINSTEM_TURN where their seeds begin.
@Suite("Random reactors") struct RandomReactorTests {
  private let folder = Folder()

  private static func number(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  /// The program, and what happened in it.
  private func install(_ context: Context, _ lines: Lines) throws -> Context {
    try context.install(Later())
    try context.addFactory("Adder") { (_: Context, total: Int) in
      Adder(state: Adder.State(total: total))
    }
    let home = try context.open(Adder())
    lines.subscriptions = [
      try context.observe { lines.all.append($0.line) },
      try context.observe(of: home, history: false) { lines.fold($0) },
    ]
    return home
  }

  private final class Lines {
    var all: [String] = []
    var wrong: [String] = []
    var subscriptions: [Subscription] = []
    private var total = 0

    /// What is shown is the sum of the mutations before.
    func fold(_ event: borrowing Delivery) {
      let number = event.payload.reversed().reduce(0) { $0 << 8 | Int($1) }
      if event.name == "Adder.mutation" { total &+= number }
      if event.name == "Adder.total", number != total { wrong.append(event.line) }
    }
  }

  @Test func `a random session of reactors shows its mutations, and verifies`() throws {
    let count = Self.number("MAINSTEM_REACTOR_SESSIONS", 40)
    let first = 1 + Self.number("MAINSTEM_TURN", 0) * count
    var mutations = 0
    for seed in first..<(first + count) {
      let path = folder.file("session-\(seed)")
      let (lines, repeated) = (Lines(), Lines())
      do {
        let context = try Context(ContextOptions(clock: .virtual))
        try context.record(to: path)
        let host = try Host(context, try install(context, lines), UInt64(seed))
        for _ in 0..<60 { try host.act() }
        try context.close()
      }
      let context = try Context(ContextOptions(clock: .virtual))
      try context.advance(by: .seconds(seed))
      let replay = try context.replay(path, mode: .verify)
      _ = try install(context, repeated)
      do { try replay.toEnd() } catch {
        Issue.record("seed \(seed): \(try replay.difference().map { "\($0)" } ?? "\(error)")")
        return
      }
      let info = try replay.info()
      try context.close()
      #expect(info.verifiedUntil == info.last, "seed \(seed)")
      #expect(lines.wrong == [], "seed \(seed)")
      #expect(repeated.all == lines.all, "seed \(seed)")
      mutations += lines.all.count { $0.contains("Adder.mutation") }
    }
    #expect(mutations > 20 * count)
  }
}
