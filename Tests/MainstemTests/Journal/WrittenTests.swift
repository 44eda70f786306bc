// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Mainstem
import MainstemSignals
import Testing

/// What the Swift package itself writes into events never changes: Tests/journals/written-swift-3.journal has it, recorded
/// once by this program, and written-swift-3-narrow.journal since numbers of scopes have 53 bits. See docs/journal-format.md, "What never changes".
@Suite("Written into journals") struct WrittenTests {
  private let folder = Folder()

  @Test(arguments: ["3", "3-narrow"]) func `the kept session verifies`(_ kept: String) throws {
    let info = try Journal.verify(Written.path("journal", kept), options: Written.options) {
      try Written.install(in: $0)
    }
    #expect(info.verifiedUntil == info.last)
  }

  @Test func `the program still writes the same`() throws {
    let again = folder.file("again")
    try Written.record(to: again)
    #expect(try Written.lines(of: again) == Written.lines(of: Written.path("journal")))
    let text = String(decoding: Folder.bytes(of: Written.path("txt")), as: UTF8.self)
    let kept = text.split(separator: "\n").map { String($0) }
    #expect(try Written.lines(of: again) == kept)
  }
}

private struct ResponseDone: Response { var number: Double }
private struct RequestWork: Request {
  typealias Answer = ResponseDone
  var how: String
}
private struct RequestLater: Request { typealias Answer = ResponseDone }
private struct RequestSignal: Request { typealias Answer = ResponseDone }
/// A request in a text that its handler cannot read.
private struct WrittenWork: Request, TextEvent {
  typealias Answer = ResponseDone
  static let name = "RequestWork"
  static let payload: Payload = .json
  var text: String
}
private struct Go: Notice {}
private enum Odd: Error { case one(String) }

/// A field for each row of docs/wire-forms.md.
private struct Forms: Notice {
  enum Colour: String, Codable { case red, blue }
  struct Place: Codable, Hashable { var row: Int }

  var text = "Zoë \"\\\n"
  var whole = -7
  var number = 0.1
  var single: Float = 0.1
  var isTrue = true
  var nothing: Int?
  var instant = Date(timeIntervalSince1970: 1_795_811_290)
  var exact = Date(timeIntervalSince1970: 1_795_811_290.25)
  var length = Duration.milliseconds(1500)
  var back = Duration.milliseconds(-250)
  var identity = UUID(uuidString: "0F8FAD5B-D9CB-469F-A165-70867728950E")
  var data = Data([0, 255, 254])
  var decimal = Decimal(string: "12.50")
  var address = URL(string: "https://example.org/a?b=c")
  var colour = Colour.red
  var place = Place(row: 1)
  var many = [3, 1, 2]
  var several: Set = ["b", "a", "é"]
  var byText = ["b": 1, "a": 2]
  var byNumber = [10: "a", 9: "b", -3: "c"]
  var byPlace = [Place(row: 2): 1, Place(row: 10): 2]
}

private struct Worker: Server {
  let context: Context

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestWork.self) { worker, request in
      switch request.how {
      case "failure": throw Failure("own: no", userMessage: "Sorry.", subject: "work", code: 1007)
      case "odd": throw Odd.one("own")
      case "cancelled": throw CancellationError()
      case "refused": try worker.context.drain()
      case "infinite": return ResponseDone(number: .infinity)
      default: break
      }
      return ResponseDone(number: 1)
    }
    on.event(RequestLater.self) { _, _, delivery in
      _ = try delivery.reply(to: RequestLater.self)
      return []
    }
    on.answer(RequestSignal.self, signal: { _, _, _ in .empty })
    // What a handler sends is compared: a host's events are only fed.
    on.event(Go.self) { _, _ in [Forms()] }
  }
}

private struct Counter: Reactor {
  enum Action { case up }
  struct State: Codable, Equatable { var count = 0 }
  var state = State()

  func mutate(_ action: Action) -> Signal<Int, Failure> { .just(1) }
  static func reduce(_ state: inout State, _ by: Int) { state.count += by }
  static func shown(_ on: inout Shown<Self>) {
    on.shows("count", \.count)
    on.action("up", .up)
  }
}

private struct Machine: ViewModel {
  var count = 0
  var turned = Pulses<Int>()

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("count", \.count)
    on.pulse("turned", \.turned)
    on.command("up", with: Int.self) { machine, by in
      guard by > 0 else { throw Failure("own: no", userMessage: "Sorry.") }
      guard by < 9 else { throw Odd.one("own") }
      machine.count += by
      machine.turned(by)
    }
  }
}

/// It opens its screen.
private struct Idle: Coordinator {
  static func routes(_ on: inout Routes<Self>) { on.screen("idle") }
}

/// It opens nothing.
private struct Empty: Coordinator {}

/// The program, and its host. Neither ever changes.
private enum Written {
  static var options: ContextOptions {
    ContextOptions(deliverOnHost: true, clock: .virtual, seed: 3)
  }

  static func path(_ suffix: String, _ kept: String = "3-narrow") -> String {
    let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(tests)/journals/written-swift-\(kept).\(suffix)"
  }

  @discardableResult
  static func install(in context: Context) throws -> [Context] {
    try context.install(Worker(context: context))
    try context.addRoutes { on in
      on.flow("flow") { _, _ in Idle() }
      on.flow("empty") { _, _ in Empty() }
      on.screen("page/<what>") { _, route in Page(id: try route.int("id")) }
    }
    return [try context.open(Machine()), try context.open(Counter())]
  }

  static func record(to path: String) throws {
    let context = try Context(options)
    try context.record(to: path)
    let owners = try install(in: context)
    try act(on: context, owners)
    try context.close()
  }

  private static func act(on context: Context, _ owners: [Context]) throws {
    try context.send(Go())
    try context.drain()
    for how in ["right", "failure", "odd", "cancelled", "refused", "infinite"] {
      try context.request(RequestWork(how: how)) { _, _ in }
      try context.drain()
    }
    try context.request(RequestLater()) { _, _ in }
    try context.request(RequestSignal()) { _, _ in }
    try context.drain()
    let view = try context.scope("View")
    for owner in owners {
      let binding = try view.bind(to: owner) { _ in }
      for by in [1, 0, 9] { _ = try? binding.run("up", by) }
      _ = try? binding.run("up")
      try context.drain()
    }
    try context.navigator.ready()
    for url in ["flow", "empty", "page/1", "nowhere"] {
      try context.navigator.open(url) { _, _ in }
      try context.drain()
    }
    let host = Context(borrowing: context.handle)
    for text in [#"{"how":1}"#, "{}", "no", ""] {
      try host.request(WrittenWork(text: text)) { _, _ in }
      try context.drain()
    }
  }

  static func lines(of path: String) throws -> [String] {
    let journal = try Journal(path)
    var lines: [String] = []
    while let event = try journal.next() { lines.append(event.line) }
    return lines
  }
}

private struct Page: ViewModel {
  var id: Int
  static func handlers(_ on: inout Handlers<Self>) { on.shows("id", \.id) }
}
