// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct ResponseStep: Response { var count: Int }
private struct RequestStep: Request {
  typealias Answer = ResponseStep
  var from: Int
}

/// Answers when it is told to.
private final class Steps {
  var replies: [Reply<RequestStep>] = []
}

private struct StepServer: Server {
  let steps: Steps
  static func handlers(_ on: inout Handlers<Self>) {
    on.event(RequestStep.self) { server, _, delivery in
      server.steps.replies.append(try delivery.reply(to: RequestStep.self))
      return []
    }
  }
}

private struct Machine: ViewModel {
  var count = 0
  var isOn = true
  var notes: [String] = []

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("count", \.count)
    on.shows("notes", \.notes)
    on.writable("isOn", \.isOn)
    on.command("up", enabled: \.isOn) { $0.count += 1 }
    on.command("step", enabled: \.isOn, asking: { RequestStep(from: $0.count) }) {
      $0.count = $1.count
    } failed: { machine, failure in
      machine.notes.append("\(failure.code)")
      throw failure
    }
    on.command("newest", policy: .latest) { machine, run in
      run.ask(RequestStep(from: machine.count)) { machine, answer in
        machine.count = answer.count
      } failed: { machine, failure in
        machine.notes.append("\(failure.code)")
        throw failure
      }
    }
    on.command("more", cancelledBy: "newest", asking: { RequestStep(from: $0.count) }) {
      $0.count = $1.count
    }
    on.command("twice") { machine, run in
      run.ask(RequestStep(from: machine.count)) { machine, answer in
        machine.count = answer.count
        run.ask(RequestStep(from: machine.count)) { machine, answer in
          machine.count = answer.count
        }
      }
    }
  }
}

@Suite("Commands") struct CommandTests {
  private let context: Context
  private let steps = Steps()
  private let view: View

  /// What a view sees of a machine.
  private final class View {
    var seen: [String] = []
    var binding: Binding?
    var scope: Context?

    func run(_ name: String) throws {
      try binding?.run(name) { [unowned self] result in
        switch result {
        case .success: seen.append("done")
        case .failure(let failure): seen.append("\(failure.code)")
        }
      }
    }

    func take() -> [String] {
      defer { seen = [] }
      return seen
    }
  }

  init() throws {
    context = try Context()
    try context.install(StepServer(steps: steps))
    let machine = try context.open(Machine())
    let view = View()
    let scope = try context.scope("View")
    view.scope = scope
    view.binding = try scope.bind(to: machine) { rows in
      rows.show("count") { (count: Int) in view.seen.append("\(count)") }
      rows.show("notes") { (notes: [String]) in view.seen.append("\(notes)") }
      rows.show("up.enabled") { (isEnabled: Bool) in view.seen.append("up \(isEnabled)") }
      rows.show("step.executing") { (isGoing: Bool) in view.seen.append("step \(isGoing)") }
      rows.show("step.error") { (error: String) in view.seen.append("error \(error)") }
    }
    self.view = view
    #expect(view.take() == ["0", "[]", "up true", "step false", "error "])
  }

  @Test func `a command that is done at once was never executing`() throws {
    try view.run("up")
    #expect(view.take() == ["1", "done"])
  }

  @Test func `law 16: a disabled command is refused, and nothing has happened`() throws {
    try view.binding?.set("isOn", false)
    let before = try context.stats().events
    let refused = #expect(throws: StreamError.self) { try view.run("up") }
    #expect(refused?.status == .disabled)
    #expect(try context.stats().events == before)
    #expect(view.take() == ["up false"])
  }

  @Test func `A-59, law 16: a command runs once`() throws {
    try view.run("step")
    #expect(view.take() == ["step true"])
    let refused = #expect(throws: StreamError.self) { try view.run("step") }
    #expect(refused?.status == .executing)
    try steps.replies[0].respond(ResponseStep(count: 7))
    #expect(view.take() == ["7", "done", "step false"])
    try view.run("step")
    try steps.replies[1].fail(Failure("JAMMED", userMessage: "Stuck."))
    #expect(view.take() == ["step true", "[\"1000\"]", "1000", "step false", "error Stuck."])
    try view.run("step")
    #expect(view.take() == ["step true", "error "])
    #expect(steps.replies.count == 3)
  }

  @Test func `the latest run cancels the one before`() throws {
    try view.run("newest")
    try view.run("newest")
    #expect(view.take() == ["CANCELLED", "[\"CANCELLED\"]"])
    #expect(steps.replies.count == 2)
    try steps.replies[1].respond(ResponseStep(count: 3))
    #expect(view.take() == ["3", "done"])
  }

  @Test func `a run ends when the command begins that it names`() throws {
    try view.run("more")
    try view.run("newest")
    #expect(view.take() == ["CANCELLED"])
    #expect(throws: StreamError.self) { try steps.replies[0].respond(ResponseStep(count: 9)) }
    try steps.replies[1].respond(ResponseStep(count: 3))
    #expect(view.take() == ["3", "done"])
  }

  @Test func `a run goes on until all is answered`() throws {
    try view.run("twice")
    try steps.replies[0].respond(ResponseStep(count: 3))
    #expect(view.take() == ["3"])
    try steps.replies[1].respond(ResponseStep(count: 4))
    #expect(view.take() == ["4", "done"])
  }

  @Test func `a factory makes view models, which end with who asked`() throws {
    let context = try Context()
    try context.addFactory(Machine.self) { (count: Int) in Machine(count: count) }
    let view = try context.scope("View")
    let number = try view.open("Machine", 5).get()
    var counts: [Int] = []
    let binding = try view.bind(to: try context.scope(number: number)) { rows in
      rows.show("count") { (count: Int) in counts.append(count) }
    }
    try binding.run("up")
    #expect(counts == [5, 6])
    try view.close()
    #expect(try context.scope(number: number) == nil)
  }

  @Test func `a view model is opened, not installed`() throws {
    let error = #expect(throws: StreamError.self) { try context.install(Machine()) }
    #expect(error?.message == "Machine: is a view model: open it with context.open(…)")
  }

  @Test func `a command answers`() throws {
    struct Adder: ViewModel {
      var sum = 0
      static func handlers(_ on: inout Handlers<Self>) {
        on.command("add", with: Int.self) { adder, number in
          adder.sum += number
          return adder.sum
        }
        on.command("names") { _ in ["a", "b"] }
      }
    }
    let binding = try context.bind(to: try context.open(Adder())) { _ in }
    var answers: [String] = []
    try binding.run("add", 3, answer: Int.self) { answers.append("\($0)") }
    try binding.run("names", answer: [String].self) { answers.append("\($0)") }
    try binding.run("add", 4)
    #expect(answers == ["success(3)", "success([\"a\", \"b\"])"])
  }

  @Test func `what a table lacks is named`() throws {
    struct Dark: ViewModel {
      var isOn = true
      static func handlers(_ on: inout Handlers<Self>) {
        on.command("up", enabled: \.isOn) { _ in }
      }
    }
    let error = #expect(throws: StreamError.self) { try context.open(Dark()) }
    #expect(
      error?.message
        == "Dark: the command up is enabled by what no value shows: add on.shows for it")

    struct Endless: ViewModel {
      static func handlers(_ on: inout Handlers<Self>) {
        on.command("up", cancelledBy: "down") { _, _ in }
      }
    }
    let missing = #expect(throws: StreamError.self) { try context.open(Endless()) }
    #expect(missing?.message == "Endless: up is ended by down, which it has not")
  }
}
