// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct EntryPicked: Notice { var id: Int }
private struct DeletePressed: Notice { var id: Int }
private struct TourAsked: Notice {}
private struct LeavePressed: Notice {}
private struct SaidHidden: Notice { var how: String }
private struct Dropped: Notice { var how: String }
private struct Queued: Notice { var how: String }
private struct Allowed: Notice { var how: String }
private struct Deleted: Notice { var id: Int }
private struct Confirmed: Notice { var isConfirmed: Bool }
private struct Chosen: Notice { var ids: [Int] }
private struct SignedIn: Notice {}
private struct ResponsePermission: Response { var isGiven: Bool }
private struct RequestPermission: Request { typealias Answer = ResponsePermission }

private struct DiaryList: ViewModel {
  static func handlers(_ on: inout Handlers<Self>) {
    on.command("pick") { list, run in run.send(EntryPicked(id: 7)) }
  }
}
private struct DiaryPage: ViewModel {
  var id: Int
  static func handlers(_ on: inout Handlers<Self>) { on.shows("id", \.id) }
}
private struct Confirm: ViewModel {
  var text: String
  static func handlers(_ on: inout Handlers<Self>) {
    on.command("yes") { _, run in run.finish(Confirmed(isConfirmed: true)) }
  }
}

extension Destination<Confirmed> {
  fileprivate static let confirm = Destination("confirm")
}

private struct DiaryFlow: Coordinator {
  var token: Alive.Token?
  var isSignedIn = false
  var chosen: [Int] = []

  static func handlers(_ on: inout Handlers<Self>) {
    on.event(SignedIn.self) { flow, _ in
      flow.isSignedIn = true
      return []
    }
  }

  static func routes(_ on: inout Routes<Self>) {
    on.screen("diary") { _, _ in DiaryList() }
    on.screen("diary/<int:id>") { _, route in DiaryPage(id: try route.int("id")) }
    on.screen("tour/<int:step>")
    on.screen("secret")
    on.screen("library")
    on.screen("about")
    on.dialog(.confirm) { _, route in Confirm(text: route.query("text") ?? "") }
    on.guarded("secret") { flow, _ in flow.isSignedIn ? .allow : .refuse("Please sign in.") }
    on.guarded("library") { _, _ in
      .ask(RequestPermission()) { _, answer in .done(answer.isGiven ? .allow : .redirect("about")) }
    }
  }

  static func intents(_ on: inout Intents<Self>) {
    on.intent(EntryPicked.self, of: DiaryList.self) { flow, intent in
      flow.chosen.append(intent.id)
      return .open("diary/\(intent.id)")
    }
    on.intent(DeletePressed.self, of: DiaryPage.self) { _, intent in
      .open(.confirm, ["text": "Delete?"]) { _, answer in
        answer.isConfirmed ? [.send(Deleted(id: intent.id)), .close()] : []
      }
    }
    on.intent(TourAsked.self) { _, _ in [.open("tour/1"), .open("tour/2")] }
    on.intent(LeavePressed.self) { flow, _ in .finish(Chosen(ids: flow.chosen)) }
    on.intent(Dropped.self) { _, said in .send(SaidHidden(how: said.how)) }
    on.intent(Queued.self, whenHidden: .queued) { _, said in .send(SaidHidden(how: said.how)) }
    on.intent(Allowed.self, whenHidden: .allowed) { _, said in .send(SaidHidden(how: said.how)) }
    on.link { _, url in .open(url) }
  }
}

/// A flow in which others run, each opened by URL.
private struct Root: Coordinator {
  static func routes(_ on: inout Routes<Self>) {
    on.screen("root")
    on.flow("diaries") { _, _ in DiaryFlow() }
    on.flow("lame") { _, _ in Lame() }
  }
  static func intents(_ on: inout Intents<Self>) {
    on.intent(EntryPicked.self) { _, intent in .send(SaidHidden(how: "root heard \(intent.id)")) }
  }
}

/// One that cannot open what it shows first.
private struct Lame: Coordinator {
  mutating func start() -> Moves<Self> { .open("nowhere") }
}

private final class App {
  let context: Context
  let stage = RecordingStage()
  let alive = Alive()
  private(set) var said: [String] = []
  private var ears: [Subscription] = []

  init(_ context: Context? = nil) throws {
    self.context = try context ?? Context()
    try App.install(in: self.context, alive)
    try stage.add(to: self.context)
    try self.context.navigator.ready()
    ears.append(
      try self.context.observe(SaidHidden.self) { [weak self] event, _ in
        self?.said.append(event.how)
      })
    ears.append(
      try self.context.observe(Deleted.self) { [weak self] event, _ in
        self?.said.append("deleted \(event.id)")
      })
  }

  static func install(in context: Context, _ alive: Alive = Alive()) throws {
    try context.addRoutes { on in
      on.flow("app") { _, _ in DiaryFlow(token: Alive.Token(alive)) }
      on.flow("main") { _, _ in Root() }
    }
    try context.install(Permissions())
  }

  struct Permissions: Server {
    static func handlers(_ on: inout Handlers<Self>) {
      on.answer(RequestPermission.self) { _, _ in ResponsePermission(isGiven: false) }
    }
  }

  func open(_ url: String) throws {
    try context.navigator.open(url) { [weak self] result, _ in
      if case .failure(let failure) = result { self?.said.append("\(url) \(failure.code)") }
    } opened: { [weak self] _ in
      self?.said.append("\(url) opened")
    }
    try context.settle()
  }

  /// The scope of the owner behind a URL.
  func scope(_ url: String) throws -> Context {
    let found = try context.navigator.tree.last { $0.url == url }
    let owner = try #require(found).owner
    return try #require(try context.scope(number: owner))
  }

  func say(_ event: some Event, from url: String) throws {
    try scope(url).send(event)
    try context.settle()
  }

  func run(_ command: String, of url: String) throws {
    let binding = try context.bind(to: try scope(url)) { _ in }
    try binding.run(command)
    binding.end()
    try context.settle()
  }

  func takeSaid() -> [String] {
    defer { said = [] }
    return said
  }

  var tree: [String] { get throws { try context.navigator.tree.map(\.url) } }
}

@Suite("Coordinators") struct CoordinatorTests {
  private let folder = Folder()

  @Test func `a flow opens its first route, and goes where an intent says`() throws {
    let app = try App()
    try app.open("app")
    #expect(app.takeSaid() == ["app opened"])
    #expect(try app.tree == ["app", "diary"])
    try app.run("pick", of: "diary")
    #expect(try app.tree == ["app", "diary", "diary/7"])
    #expect(app.stage.takeCalls() == ["show screen diary", "show screen diary/7"])
    #expect(try app.context.navigator.tree.map(\.isHidden) == [false, true, false])
  }

  @Test func `an intent is heard from its own components only`() throws {
    let app = try App()
    try app.open("app")
    try app.context.send(EntryPicked(id: 1))
    try app.run("pick", of: "diary")
    try app.say(EntryPicked(id: 2), from: "diary/7")
    #expect(try app.tree == ["app", "diary", "diary/7"])
  }

  @Test func `an answer is gone on with`() throws {
    let app = try App()
    try app.open("app")
    try app.run("pick", of: "diary")
    try app.say(DeletePressed(id: 7), from: "diary/7")
    let confirm = try #require(try app.context.navigator.top)
    #expect(confirm.url == "confirm?text=Delete%3F")
    #expect(confirm.parent == (try app.context.navigator.tree[2].number))
    try app.run("yes", of: confirm.url)
    #expect(app.takeSaid() == ["app opened", "deleted 7"])
    #expect(try app.tree == ["app", "diary"])
  }

  @Test func `a dialog that is dismissed leads nowhere`() throws {
    let app = try App()
    try app.open("app")
    try app.run("pick", of: "diary")
    try app.say(DeletePressed(id: 7), from: "diary/7")
    try app.context.navigator.dismiss()
    try app.context.settle()
    #expect(app.takeSaid() == ["app opened"])
    #expect(try app.tree == ["app", "diary", "diary/7"])
  }

  @Test func `what a flow opens in vain is reported, what a guard refuses is not`() throws {
    let app = try App()
    var reports: [String] = []
    let watching = try app.context.observe(FailureReport.self) { report, _ in
      reports.append(report.message)
    }
    try app.open("app")
    for url in ["secret", "secret", "secret"] {
      try app.context.navigator.link(url, toAllFlows: true)
      try app.context.settle()
    }
    #expect(reports.isEmpty)
    try app.context.navigator.link("nowhere", toAllFlows: true)
    try app.context.settle()
    #expect(reports.count == 1)
    watching.cancel()
  }

  @Test func `several moves are made in their order`() throws {
    let app = try App()
    try app.open("app")
    try app.say(TourAsked(), from: "diary")
    #expect(try app.tree == ["app", "diary", "tour/1", "tour/2"])
  }

  @Test func `a hidden component is dropped, queued, or allowed`() throws {
    let app = try App()
    try app.open("app")
    for step in 1...2 {
      try app.say(Dropped(how: "dropped \(step)"), from: "diary")
      try app.say(Queued(how: "queued \(step)"), from: "diary")
      try app.say(Allowed(how: "allowed \(step)"), from: "diary")
      try app.run("pick", of: "diary")
    }
    #expect(
      app.takeSaid() == ["app opened", "dropped 1", "queued 1", "allowed 1", "allowed 2"])
    try app.context.navigator.pop()
    try app.context.settle()
    #expect(app.takeSaid() == ["queued 2"])
  }

  @Test func `a flow ends with a result`() throws {
    let app = try App()
    var results: [Result<Chosen, Failure>] = []
    try app.context.navigator.open(Destination<Chosen>("app")) { result, _ in
      results.append(result)
    }
    try app.context.settle()
    try app.run("pick", of: "diary")
    try app.say(LeavePressed(), from: "diary/7")
    #expect(results == [.success(Chosen(ids: [7]))])
    #expect(try app.tree == [])
    #expect(
      app.stage.takeCalls() == ["show screen diary", "show screen diary/7", "hide diary/7 diary"])
  }

  @Test func `a flow ends with its last component, and with what it stands on`() throws {
    let app = try App()
    try app.open("app")
    let diary = try #require(try app.context.navigator.top)
    try app.context.navigator.gone(diary.number)
    try app.context.settle()
    #expect(app.takeSaid() == ["app opened", "app CANCELLED"])
    #expect(try app.tree == [])

    try app.open("main")
    try app.open("diaries")
    #expect(try app.tree == ["main", "root", "diaries", "diary"])
    try app.context.navigator.close(try app.context.navigator.tree[0].number)
    try app.context.settle()
    #expect(
      app.takeSaid() == ["main opened", "diaries opened", "diaries CANCELLED", "main CANCELLED"])
  }

  @Test func `a flow in a flow hears its own`() throws {
    let app = try App()
    try app.open("main")
    try app.open("diaries")
    _ = app.takeSaid()
    try app.run("pick", of: "diary")
    #expect(app.takeSaid() == [])
    #expect(try app.tree == ["main", "root", "diaries", "diary", "diary/7"])
  }

  @Test func `a flow fails with what it shows first, and leaves nothing`() throws {
    let app = try App()
    try app.open("main")
    try app.open("lame")
    #expect(app.takeSaid() == ["main opened", "lame NO_ROUTE"])
    #expect(try app.tree == ["main", "root"])
    app.stage.script["diary"] = .failure(Failure("no window", code: 1002))
    try app.open("app")
    #expect(app.takeSaid() == ["app 1002"])
    #expect(app.alive.count == 0)
    #expect(try app.tree == ["main", "root"])
  }

  @Test func `a flow is ready when its first component is shown`() throws {
    let app = try App()
    app.stage.script["diary"] = .later
    try app.open("app")
    #expect(app.takeSaid() == [])
    #expect(try app.tree == [])
    app.stage.answer("diary")
    try app.context.settle()
    #expect(app.takeSaid() == ["app opened"])
  }

  @Test func `a flow guards, and adapts after it has asked`() throws {
    let app = try App()
    try app.open("app")
    try app.open("secret")
    try app.context.send(SignedIn())
    try app.open("secret")
    try app.open("library")
    #expect(
      app.takeSaid() == ["app opened", "secret DENIED", "secret opened", "library opened"])
    #expect(try app.tree == ["app", "diary", "secret", "about"])
  }

  @Test func `a route of a flow that is not open fails`() throws {
    let app = try App()
    try app.open("diary")
    try app.open("secret")
    #expect(app.takeSaid() == ["diary INVALID", "secret DENIED"])
  }

  @Test func `a link reaches three flows`() throws {
    let app = try App()
    for _ in 0..<3 { try app.open("app") }
    try app.context.navigator.link("tour/1", toAllFlows: true)
    try app.context.settle()
    #expect(try app.tree.filter { $0 == "tour/1" }.count == 3)
  }

  @Test func `what is dismissed says nothing more`() throws {
    let app = try App()
    try app.open("app")
    try app.run("pick", of: "diary")
    let page = try app.scope("diary/7")
    try app.context.navigator.pop()
    try app.context.settle()
    #expect(throws: StreamError.self) { try page.send(TourAsked()) }
    #expect(try app.tree == ["app", "diary"])
  }

  @Test func `nothing is left of a flow that has ended`() throws {
    let app = try App()
    try app.open("app")
    try app.context.navigator.gone(try app.context.navigator.tree[0].number)
    try app.context.settle()
    let before = try app.context.stats()
    for _ in 0..<20 {
      try app.open("app")
      try app.run("pick", of: "diary")
      try app.say(DeletePressed(id: 7), from: "diary/7")
      #expect(app.alive.count == 1)
      try app.context.navigator.gone(try app.context.navigator.tree[0].number)
      try app.context.settle()
      #expect(app.alive.count == 0)
    }
    #expect(try app.context.stats().subscriptions == before.subscriptions)
  }

  @Test func `a session of flows is verified without its stage`() throws {
    let path = folder.file("flows")
    let context = try Context()
    try context.record(to: path)
    let app = try App(context)
    try app.open("main")
    try app.open("app")
    try app.run("pick", of: "diary")
    try app.say(DeletePressed(id: 7), from: "diary/7")
    try app.run("yes", of: "confirm?text=Delete%3F")
    try app.open("library")
    try app.context.navigator.link("tour/1", toAllFlows: true)
    try app.context.settle()
    try app.open("lame")
    try context.close()

    let info = try Journal.verify(path) { try App.install(in: $0) }
    #expect(info.verifiedUntil == info.last)
  }
}
