// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Chosen: Notice { var colour: String }

private struct Picker: Server {
  static func handlers(_ on: inout Handlers<Self>) {}
}

extension Destination<Chosen> {
  fileprivate static let pick = Destination("pick")
}

private func routes(_ on: inout Routes<Void>) {
  on.screen("home")
  on.dialog(.pick) { _, _ in Picker() }
  on.dialog("confirm")
  on.present("tour")
}

/// A stage that takes its time.
@MainActor private final class Slow: AsyncStage {
  var calls: [String] = []

  func show(_ component: Component) async throws {
    await Task.yield()
    if component.url == "confirm" { throw Failure("no window", code: 1002) }
    calls.append("show \(component.url)")
  }

  func hide(_ components: [UInt64]) async { calls.append("hide \(components.count)") }
}

/// One that answers when it returns.
private final class Quick: Stage {
  var calls: [String] = []
  func show(_ component: Component) throws {
    calls.append("show \(component.url)")
    if component.url == "tour" { throw Failure("no room", code: 1003) }
  }
  func hide(_ components: [UInt64]) { calls.append("hide \(components.count)") }
}

/// One that has no room for anything.
private struct Broken: Stage {
  func show(_ component: Component) throws { throw Failure("no room", code: 1003) }
  func hide(_ components: [UInt64]) throws { throw Failure("no floor", code: 1003) }
}

/// The same, a while later.
private struct BrokenLater: AsyncStage {
  func show(_ component: Component) async throws {
    await Task.yield()
    throw Failure("no room", code: 1003)
  }
  func hide(_ components: [UInt64]) async throws { throw Failure("no floor", code: 1003) }
}

@Suite("Stages") struct StageTests {
  private let folder = Folder()

  @MainActor @Test func `a result is awaited, and a stage awaits`() async throws {
    let context = try Context(on: MainActor.shared)
    // Other tests may keep the main actor busy for longer than a stage usually has.
    try context.addNavigator(showTimeout: .seconds(3600))
    try context.addRoutes(routes)
    let stage = Slow()
    try context.addStage(stage)
    try context.navigator.ready()
    let opened = try context.observe { delivery in
      guard delivery.name == "MainstemTree", let top = try context.navigator.top else { return }
      if top.name == "Picker" {
        try context.scope(number: top.owner)?.navigator.finish(Chosen(colour: "blue"))
      }
    }
    let chosen = try await context.navigator.open(.pick)
    #expect(chosen == Chosen(colour: "blue"))
    let failure = await #expect(throws: Failure.self) {
      try await context.navigator.open("confirm")
    }
    #expect(failure?.code == 1002)
    opened.cancel()
    #expect(stage.calls.first == "show pick")
    try context.close()
  }

  @Test func `a stage answers by returning`() throws {
    let context = try Context()
    try context.addRoutes(routes)
    let stage = Quick()
    try context.addStage(stage)
    try context.navigator.open("home")
    var codes: [Status] = []
    try context.navigator.open("tour") { result, _ in
      if case .failure(let failure) = result { codes.append(failure.code) }
    }
    try context.settle()
    #expect(codes == [1003])
    #expect(stage.calls == ["show home", "show tour", "hide 1"])
    #expect(try context.navigator.tree.map(\.url) == ["home"])
  }

  @Test(arguments: [true, false])
  func `a stage that has drawn a muted replay shows what comes then once`(
    isFirst: Bool
  ) throws {
    let path = try recorded()
    let context = try Context()
    let stage = Quick()
    if isFirst { try add(stage, to: context) }
    let replay = try context.replay(path)
    if !isFirst { try add(stage, to: context) }
    try replay.toEnd()
    #expect(stage.calls == ["show home"])
    try replay.close()

    try context.navigator.open("home")
    try context.settle()
    #expect(stage.calls == ["show home", "show home"])
  }

  @Test func `what a stage throws in a muted replay is a failure`() throws {
    let path = try recorded(isClosed: true)
    let context = try Context()
    try add(Broken(), to: context)
    let replay = try context.replay(path)
    try replay.toEnd()
    #expect(try context.stats().failures == 2)
    try replay.close()
  }

  @MainActor @Test
  func `what a stage that awaits throws in a muted replay is told`() async throws {
    let path = try recorded(isClosed: true)
    let (thrown, tell) = AsyncStream.makeStream(of: String.self)
    let context = try Context(on: MainActor.shared)
    try context.addRoutes(routes)
    try context.addStage(BrokenLater()) { tell.yield("\($0)") }
    let replay = try context.replay(path)
    try replay.toEnd()
    var told: [String] = []
    for await words in thrown.prefix(2) { told.append(words) }
    #expect(told.map { $0.contains("no room") } == [true, false])
    #expect(told.map { $0.contains("no floor") } == [false, true])
    try replay.close()
  }

  /// The path of a session in which a screen was shown, and maybe closed.
  private func recorded(isClosed: Bool = false) throws -> String {
    let path = folder.file("drawn")
    let session = try Context()
    try session.record(to: path)
    try add(Quick(), to: session)
    try session.navigator.open("home")
    try session.settle()
    if isClosed, let home = try session.navigator.top {
      try session.navigator.gone(home.number)
    }
    try session.close()
    return path
  }

  private func add(_ stage: some Stage, to context: Context) throws {
    try context.addRoutes(routes)
    try context.addStage(stage)
  }
}
