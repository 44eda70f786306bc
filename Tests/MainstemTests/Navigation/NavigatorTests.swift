// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct Chosen: Notice { var colour: String }
private struct ChosenLater: Notice { var colour: String }
private struct Other: Notice { var number: Int }

private struct Page: ViewModel {
  var title: String
  static func handlers(_ on: inout Handlers<Self>) { on.shows("title", \.title) }
}

private struct Picker: ViewModel {
  var from: String
  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("from", \.from)
    on.command("pick") { picker, run in run.finish(Chosen(colour: "red")) }
  }
}

private struct Locked: ViewModel {
  init() throws { throw Failure("NO_KEY", userMessage: "It is locked.", code: 1001) }
  static func handlers(_ on: inout Handlers<Self>) {}
}

extension Destination<Chosen> {
  fileprivate static let pick = Destination("pick/<from>")
}

private func routes(_ on: inout Routes<Void>) {
  on.screen("home")
  on.screen("page/<int:number>") { _, route in Page(title: "page \(try route.int("number"))") }
  on.screen("latest") { _, route in Page(title: "latest \(route.query("tab") ?? "")") }
  on.dialog(.pick) { _, route in Picker(from: try route.text("from")) }
  on.dialog("confirm")
  on.present("tour")
  on.overlay("banner")
  on.embed("users", in: "users")
  on.embed("news", in: "users")
  on.group("compose", of: ["drawer", "toolbar"])
  on.dialog("drawer")
  on.dialog("toolbar")
  on.screen("locked") { _, _ in try Locked() }
  on.screen("paint/<colour:c>")
  on.type("colour") { $0 == "red" }
}

extension NavigatorApp {
  fileprivate convenience init(_ context: Context? = nil) throws { try self.init(context, routes) }
}

@Suite("Navigator") struct NavigatorTests {
  private let folder = Folder()

  @Test func `push, present, embed, pop, pop to, dismiss, replace root`() throws {
    let app = try NavigatorApp()
    let home = try app.open("home")
    let first = try app.open("page/1")
    let page = try app.open("page/2")
    try app.open("users", on: page)
    try app.open("confirm", on: page)
    #expect(
      try app.tree == [
        "home", "home > page/1", "page/1 > page/2", "page/2 > users", "page/2 > confirm",
      ])
    #expect(try app.context.navigator.top?.url == "confirm")

    try app.context.navigator.dismiss { result, _ in app.note("dismiss", result) }
    try app.context.settle()
    #expect(app.takeAnswers() == ["confirm CANCELLED", "dismiss ok"])
    try app.context.navigator.pop()
    try app.context.settle()
    #expect(try app.context.navigator.top?.url == "page/1")
    try app.open("tour", on: first)
    #expect(try app.context.navigator.top?.kind == .present)
    try app.context.navigator.popTo(home)
    try app.context.settle()
    #expect(try app.tree == ["home"])
    var shown: UInt64 = 0
    try app.context.navigator.replace("page/2") { result, _ in
      app.note("replaced", result)
    } opened: {
      shown = $0
    }
    try app.context.settle()
    #expect(try app.context.navigator.component(shown).url == "page/2")
    #expect(try app.tree == ["page/2"])
    #expect(app.takeAnswers().contains("home CANCELLED"))
    try app.context.navigator.replaceRoot("page/3")
    try app.context.settle()
    #expect(try app.tree == ["page/3"])
    #expect(
      app.stage.takeCalls() == [
        "show screen home", "show screen page/1", "show screen page/2", "show embed users",
        "show dialog confirm", "hide confirm", "hide users page/2", "show present tour",
        "hide tour page/1", "show screen page/2", "hide home", "show screen page/3", "hide page/2",
      ])
  }

  @Test func `an owner gets what is in the URL`() throws {
    let app = try NavigatorApp()
    let number = try app.open("page/7")
    let component = try app.context.navigator.component(number)
    #expect(component.name == "Page")
    #expect(component.route == "page/<int:number>")
    let scope = try #require(try app.context.scope(number: component.owner))
    var shown: [String] = []
    let binding = try app.context.bind(to: scope) { rows in
      rows.show("title") { (title: String) in shown.append(title) }
    }
    #expect(shown == ["page 7"])
    binding.end()

    let latest = try app.context.navigator.component(try app.open("latest?tab=all"))
    let other = try #require(try app.context.scope(number: latest.owner))
    let second = try app.context.bind(to: other) { rows in
      rows.show("title") { (title: String) in shown.append(title) }
    }
    #expect(shown == ["page 7", "latest all"])
    second.end()
  }

  @Test func `a destination gives a typed result`() throws {
    let app = try NavigatorApp()
    try app.open("home")
    var results: [Result<Chosen, Failure>] = []
    var picker: UInt64 = 0
    try app.context.navigator.open(.pick, ["from": "a few"]) { result, _ in
      results.append(result)
    } opened: {
      picker = $0
    }
    try app.context.settle()
    let component = try app.context.navigator.component(picker)
    #expect(component.url == "pick/a%20few")
    let scope = try #require(try app.context.scope(number: component.owner))
    let binding = try app.context.bind(to: scope) { _ in }
    try binding.run("pick")
    try app.context.settle()
    #expect(results == [.success(Chosen(colour: "red"))])
    #expect(try app.tree == ["home"])
    binding.end()
  }

  @Test func `a result with the fields of another, and a longer name, is a failure`() throws {
    let app = try NavigatorApp()
    var results: [Result<Chosen, Failure>] = []
    var picker: UInt64 = 0
    try app.context.navigator.open(.pick, ["from": "x"]) { result, _ in
      results.append(result)
    } opened: {
      picker = $0
    }
    try app.context.settle()
    let owner = try app.context.navigator.component(picker).owner
    let navigator = try #require(try app.context.scope(number: owner)).navigator
    try navigator.finish(ChosenLater(colour: "red"))
    try app.context.settle()
    #expect(
      results == [
        .failure(Failure("open: finished with ChosenLater instead of Chosen", code: .invalid))
      ])
  }

  @Test func `another result than that of its type is a failure`() throws {
    let app = try NavigatorApp()
    var results: [Result<Chosen, Failure>] = []
    for step in 0..<2 {
      var picker: UInt64 = 0
      try app.context.navigator.open(.pick, ["from": "x"]) { result, _ in
        results.append(result)
      } opened: {
        picker = $0
      }
      try app.context.settle()
      let owner = try app.context.navigator.component(picker).owner
      let navigator = try #require(try app.context.scope(number: owner)).navigator
      if step == 0 { try navigator.finish(Other(number: 1)) } else { try navigator.finish() }
      try app.context.settle()
    }
    #expect(
      results == [
        .failure(Failure("open: finished with Other instead of Chosen", code: .invalid)),
        .failure(Failure("open: finished without a result instead of Chosen", code: .invalid)),
      ])
  }

  @Test(arguments: [
    ("nowhere", "NO_ROUTE"), ("page/seven", "NO_ROUTE"), ("a/..%2F", "BAD_URL"), ("locked", "1001"),
    ("paint/blue", "NO_ROUTE"), ("users", "INVALID"),
  ])
  func `what cannot be opened says why`(url: String, status: String) throws {
    let app = try NavigatorApp()
    try app.open(url)
    #expect(app.takeAnswers() == ["\(url) \(status)"])
    #expect(try app.tree == [])
    #expect(try app.context.navigator.top == nil)
    #expect(app.stage.takeCalls() == [])
  }

  @Test func `a stage answers at once, later, or with a failure`() throws {
    let app = try NavigatorApp()
    app.stage.script = ["home": .later, "confirm": .failure(Failure("no window", code: 1002))]
    try app.open("home")
    try app.open("confirm")
    #expect(try app.tree == [])
    #expect(app.stage.takeCalls() == ["show screen home"])
    #expect(app.stage.answer("home"))
    try app.context.settle()
    #expect(try app.tree == ["home"])
    #expect(app.stage.takeCalls() == ["show dialog confirm", "hide confirm"])
    #expect(app.takeAnswers() == ["confirm 1002"])
  }

  @Test func `a stage that never answers is too late`() throws {
    let context = try Context(ContextOptions(clock: .virtual))
    try context.addNavigator(scheme: "diary", showTimeout: .seconds(1))
    let app = try NavigatorApp(context)
    app.stage.script = ["home": .never]
    try app.open("home")
    try context.advance(by: .seconds(1))
    #expect(app.takeAnswers() == ["home TIMEOUT"])
    #expect(app.stage.takeCalls() == ["show screen home", "hide home"])
  }

  @Test func `without a stage nothing is shown`() throws {
    let context = try Context()
    try context.addRoutes(routes)
    var failures: [Status] = []
    try context.navigator.open("home") { result, _ in
      if case .failure(let failure) = result { failures.append(failure.code) }
    }
    #expect(failures == [.unhandled])
  }

  @Test func `a gesture closes without asking, a group closes as one`() throws {
    let app = try NavigatorApp()
    let home = try app.open("home")
    let group = try app.open("compose")
    #expect(try app.tree.count == 4)
    try app.context.navigator.close(group)
    try app.context.settle()
    #expect(try app.tree == ["home"])
    let page = try app.open("page/1")
    try app.context.navigator.gone(page)
    try app.context.settle()
    #expect(try app.tree == ["home"])
    try app.context.navigator.close(home)
    try app.context.settle()
    #expect(try app.tree == [])
    #expect(app.takeAnswers() == ["compose CANCELLED", "page/1 CANCELLED", "home CANCELLED"])
  }

  @Test func `an overlay stands on nothing, an embed takes the place of another`() throws {
    let app = try NavigatorApp()
    let home = try app.open("home")
    try app.open("users", on: home)
    try app.open("news", on: home)
    try app.open("users", on: home, slot: "side")
    try app.open("banner")
    #expect(try app.tree == ["home", "home > news", "home > users", "banner"])
    #expect(try app.context.navigator.tree.map(\.slot) == ["", "users", "side", ""])
    #expect(try app.context.navigator.top?.url == "banner")
  }

  @Test func `a screen covers what is below`() throws {
    let app = try NavigatorApp()
    let home = try app.open("home")
    #expect(try !app.context.navigator.component(home).isHidden)
    try app.open("page/1")
    #expect(try app.context.navigator.component(home).isHidden)
  }

  @Test func `a link waits until the app is ready, and loses the app's scheme`() throws {
    let context = try Context()
    try context.addNavigator(scheme: "diary")
    try context.addRoutes(routes)
    let stage = RecordingStage()
    try stage.add(to: context)
    try context.navigator.link("diary://page/4")
    try context.settle()
    #expect(stage.takeCalls() == [])
    try context.navigator.ready()
    try context.settle()
    #expect(stage.takeCalls() == ["show screen page/4"])
  }

  @Test func `who cancels before it is shown takes it back`() throws {
    let app = try NavigatorApp()
    app.stage.script["home"] = .later
    let pending = try app.context.navigator.open("home")
    try app.context.settle()
    pending.cancel()
    try app.context.settle()
    #expect(app.stage.takeCalls() == ["show screen home", "hide home"])
    #expect(try app.tree == [])
  }

  @Test func `a leaving guard is told which of two pages of one URL is left`() throws {
    var asked: [UInt64] = []
    var unsaved: UInt64?
    let app = try NavigatorApp(nil) { on in
      routes(&on)
      on.guarded("home") { _, route in route.component == 0 ? .allow : .refuse("It is not there.") }
      on.guardedLeaving("page/<int:number>") { _, route in
        asked.append(route.component)
        return route.component == unsaved ? .refuse("It is not saved.") : .allow
      }
    }
    try app.open("home")
    try app.open("page/1")
    try app.open("page/1")
    let pages = try app.context.navigator.tree.dropFirst().map(\.number)
    unsaved = pages.first
    for _ in pages {
      try app.context.navigator.pop { result, _ in app.note("pop", result) }
      try app.context.settle()
    }
    #expect(asked == pages.reversed())
    #expect(try app.tree == ["home", "home > page/1"])
  }

  @Test func `guards let go, refuse, redirect, and have something opened first`() throws {
    var isSignedIn = false
    let app = try NavigatorApp(nil) { on in
      routes(&on)
      on.screen("diary")
      on.screen("diary/<path:rest>")
      on.dialog("signin") { _, _ in Picker(from: "guard") }
      on.guarded("diary", "diary/<path:_>") { _, _ in isSignedIn ? .allow : .openFirst("signin") }
      on.guarded("latest") { _, route in .redirect("page/\(route.query("page") ?? "0")") }
      on.guarded("home") { _, _ in .refuse("It is night.") }
      on.guardedLeaving("page/<int:number>") { _, route in
        try route.int("number") == 1 ? .refuse("It is not saved.") : .allow
      }
    }
    try app.open("home")
    try app.open("latest?page=1")
    #expect(app.takeAnswers() == ["home DENIED"])
    #expect(try app.tree == ["page/1"])
    let page = try #require(try app.context.navigator.top).number
    try app.context.navigator.close(page) { result, _ in app.note("close", result) }
    #expect(app.takeAnswers() == ["close DENIED"])

    try app.open("diary/may")
    #expect(try app.context.navigator.top?.url == "signin")
    isSignedIn = true
    let signIn = try #require(try app.context.navigator.top)
    try #require(try app.context.scope(number: signIn.owner)).navigator.finish()
    try app.context.settle()
    #expect(try app.context.navigator.top?.url == "diary/may")

    isSignedIn = false
    try app.open("diary")
    let again = try #require(try app.context.navigator.top)
    #expect(again.url == "signin")
    try app.context.navigator.close(again.number)
    try app.context.settle()
    #expect(app.takeAnswers() == ["diary DENIED"])
  }

  @Test func `a guard for everything guards the home page and routes with a scheme`() throws {
    let app = try NavigatorApp(nil) { on in
      routes(&on)
      on.screen("")
      on.screen("app://help")
      on.guarded("*") { _, _ in .refuse("It is night.") }
    }
    for url in ["", "app://help", "home", "page/1"] { try app.open(url) }
    #expect(
      app.takeAnswers() == [" DENIED", "app://help DENIED", "home DENIED", "page/1 DENIED"])
    #expect(try app.tree == [])
  }

  @Test func `a guard without a pattern is refused`() throws {
    let context = try Context()
    #expect(throws: StreamError.self) {
      try context.addRoutes { on in on.guarded { _, _ in .allow } }
    }
  }

  @Test func `a session with moves is verified without its stage`() throws {
    let path = folder.file("moves")
    let context = try Context()
    try context.record(to: path)
    let app = try NavigatorApp(context)
    try app.open("home")
    let page = try app.open("page/1")
    try app.open("confirm")
    try app.context.navigator.gone(page)
    try app.open("locked")
    try app.context.navigator.replaceRoot("page/2")
    try app.context.settle()
    try context.close()

    let info = try Journal.verify(path) { try $0.addRoutes(routes) }
    #expect(info.verifiedUntil == info.last)
  }

  @Test func `a stage draws a muted replay`() throws {
    let path = folder.file("drawn")
    let context = try Context()
    try context.record(to: path)
    let app = try NavigatorApp(context)
    try app.open("home")
    try app.open("confirm")
    try app.context.navigator.dismiss()
    try app.context.settle()
    try context.close()

    let copy = try Context()
    let replay = try copy.replay(path)
    try copy.addRoutes(routes)
    let stage = RecordingStage()
    try stage.add(to: copy)
    try replay.toEnd()
    try copy.settle()
    #expect(stage.takeCalls() == ["show screen home", "show dialog confirm", "hide confirm"])
  }

  @Test func `moves need routes, and routes come first`() throws {
    let context = try Context()
    #expect(throws: StreamError.self) { try context.navigator.open("home") }
    #expect(throws: StreamError.self) { try context.navigator.tree }
    #expect(throws: StreamError.self) { try RecordingStage().add(to: context) }
    try context.send(Other(number: 1))
    #expect(throws: StreamError.self) { try context.addRoutes(routes) }
  }
}
