// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct ResponseTrip: Response, Equatable { var seat: String, room: Int }
private struct RequestTrip: Request {
  typealias Answer = ResponseTrip
  var who: String
}
private struct ResponseFlight: Response { var seat: String }
private struct RequestFlight: Request {
  typealias Answer = ResponseFlight
  var who: String
}
private struct ResponseHotel: Response { var room: Int }
private struct RequestHotel: Request {
  typealias Answer = ResponseHotel
  var near: String
}
private struct ResponseDone: Response {}
private struct RequestNoFlight: Request {
  typealias Answer = ResponseDone
  var seat: String
}

private final class Log {
  var lines: [String] = []
  var rooms: [Reply<RequestHotel>] = []
}

/// Answers flights at once, and keeps requests for rooms.
private struct Site: Server {
  let log: Log

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestFlight.self) { site, request in
      site.log.lines.append("flight \(request.who)")
      return ResponseFlight(seat: "7A")
    }
    on.answer(RequestNoFlight.self) { site, request in
      site.log.lines.append("no flight \(request.seat)")
      if request.seat == "stuck" { throw Failure("too late") }
      return ResponseDone()
    }
    on.event(RequestHotel.self) { site, request, delivery in
      site.log.lines.append("hotel \(request.near)")
      site.log.rooms.append(try delivery.reply(to: RequestHotel.self))
      return []
    }
  }
}

/// A program with a workflow, and the answers to what it asks.
private final class Program {
  let context: Context
  let workflow: Context
  let log = Log()
  var answers: [Result<ResponseTrip, Failure>] = []

  init(_ steps: [WorkflowStep<RequestTrip>], limit: Int = 1024) throws {
    context = try Context(ContextOptions(clock: .virtual))
    try context.install(Site(log: log))
    workflow = try context.addWorkflow("Trips", for: RequestTrip.self, steps: steps, limit: limit) {
      ResponseTrip(
        seat: try $0.answer(to: RequestFlight.self).seat,
        room: try $0.answer(to: RequestHotel.self).room)
    }
  }

  @discardableResult
  func ask() throws -> Pending {
    try context.request(RequestTrip(who: "Ada")) { answer, _ in self.answers.append(answer) }
  }

  func answer(_ index: Int, _ room: Int?) throws {
    if let room {
      try log.rooms[index].respond(ResponseHotel(room: room))
    } else {
      try log.rooms[index].fail(
        Failure("no room", userMessage: "Full.", code: Status(rawValue: 1003)))
    }
    try context.drain()
  }
}

private typealias Step = WorkflowStep<RequestTrip>

private func flight(undoing seat: String? = nil) -> Step {
  Step(RequestFlight.self) { RequestFlight(who: try $0.request.who) }
    .undone(by: RequestNoFlight.self) {
      RequestNoFlight(seat: try seat ?? $0.answer(to: RequestFlight.self).seat)
    }
}

private var hotel: Step {
  Step(RequestHotel.self, timeout: .seconds(5)) {
    RequestHotel(near: try $0.answer(to: RequestFlight.self).seat)
  }
}

@Suite("Workflows") struct WorkflowTests {
  @Test func `A-70: steps come in order`() throws {
    let program = try Program([flight(), hotel])
    try program.ask()
    #expect(program.log.lines == ["flight Ada", "hotel 7A"])
    #expect(program.answers.isEmpty)
    try program.answer(0, 12)
    #expect(try program.answers.first?.get() == ResponseTrip(seat: "7A", room: 12))
  }

  @Test func `A-70: a failure undoes in reverse`() throws {
    let program = try Program([flight(), flight(undoing: "7B"), hotel])
    try program.ask()
    try program.answer(0, nil)
    #expect(program.log.lines.suffix(2) == ["no flight 7B", "no flight 7A"])
    let failure = #expect(throws: Failure.self) { try program.answers[0].get() }
    #expect(failure?.message == "no room")
    #expect(failure?.userMessage == "Full.")
    #expect(failure?.code == Status(rawValue: 1003))
  }

  @Test func `A-70: a step has its time, and its retries wait longer each time`() throws {
    let again = Step(
      RequestHotel.self, timeout: .seconds(1), retries: 2, backoff: .milliseconds(500)
    ) { _ in RequestHotel(near: "x") }
    let program = try Program([flight(), again])
    try program.ask()
    var seen: [Int] = []
    for tenth in 1...50 {
      let before = program.log.rooms.count
      try program.context.advance(by: .milliseconds(100))
      if program.log.rooms.count > before { seen.append(tenth) }
    }
    #expect(seen == [15, 35])
    #expect(throws: Failure.self) { try program.answers[0].get() }
    #expect(program.log.lines.last == "no flight 7A")
  }

  @Test func `A-70: parallel steps are joined`() throws {
    let one = Step(RequestHotel.self) { _ in RequestHotel(near: "x") }
    let other = Step(RequestHotel.self, isParallel: true) { _ in RequestHotel(near: "y") }
    let program = try Program([flight(), one, other])
    try program.ask()
    #expect(program.log.lines == ["flight Ada", "hotel x", "hotel y"])
    try program.answer(1, 2)
    #expect(program.answers.isEmpty)
    try program.answer(0, 1)
    #expect(try program.answers[0].get().room == 2)
  }

  @Test func `A step may be left out`() throws {
    let program = try Program([flight(), hotel, Step(RequestFlight.self) { _ in nil }])
    try program.ask()
    try program.answer(0, 3)
    #expect(try program.answers[0].get().seat == "7A")
    #expect(program.log.lines == ["flight Ada", "hotel 7A"])
  }

  @Test func `What a closure throws is the step's error`() throws {
    let without = Step(RequestHotel.self) { run in
      _ = try run.answer(to: RequestHotel.self)
      return nil
    }
    let program = try Program([flight(), without])
    try program.ask()
    let failure = #expect(throws: Failure.self) { try program.answers[0].get() }
    #expect(
      failure?.message
        == "RequestHotel has no answer (yet): its step is not done, or was left out")
    #expect(program.log.lines == ["flight Ada", "no flight 7A"])
  }

  @Test func `An undo that fails is told`() throws {
    let program = try Program([flight(undoing: "stuck"), hotel])
    var sentences: [String] = []
    let observed = try program.context.observe(FailureReport.self) { report, _ in
      sentences.append(report.message)
    }
    try program.ask()
    try program.answer(0, nil)
    let failure = #expect(throws: Failure.self) { try program.answers[0].get() }
    #expect(failure?.message == "no room; not undone: RequestNoFlight")
    #expect(failure?.userMessage == "Full.")
    #expect(sentences == ["no room; not undone: RequestNoFlight"])
    observed.cancel()
  }

  @Test func `A cancelled request is undone`() throws {
    let program = try Program([flight(), hotel])
    try program.ask().cancel()
    #expect(program.log.lines == ["flight Ada", "hotel 7A", "no flight 7A"])
    #expect(program.answers.count == 1)
  }

  @Test func `Its end cancels what is open`() throws {
    let program = try Program([flight(), hotel])
    try program.ask()
    try program.workflow.close()
    #expect(program.log.lines == ["flight Ada", "hotel 7A"])
    #expect(throws: Failure.self) { try program.answers[0].get() }
  }

  @Test func `More than its limit is full`() throws {
    let program = try Program([flight(), hotel], limit: 1)
    try program.ask()
    try program.ask()
    let failure = #expect(throws: Failure.self) { try program.answers[0].get() }
    #expect(failure?.code == .full)
  }

  @Test func `Mistakes are refused`() throws {
    let negative = Step(RequestHotel.self, retries: -1) { _ in nil }
    let error = #expect(throws: StreamError.self) { _ = try Program([negative]) }
    #expect(error?.message == "addWorkflow: retries is -1: at least 0")
    #expect(throws: StreamError.self) { _ = try Program([hotel], limit: 0) }
    #expect(throws: StreamError.self) { _ = try Program([]) }
    let never = Step(RequestHotel.self, timeout: .zero) { _ in nil }
    #expect(throws: StreamError.self) { _ = try Program([never]) }
    let first = Step(RequestHotel.self, isParallel: true) { _ in nil }
    #expect(throws: StreamError.self) { _ = try Program([first]) }
  }
}
