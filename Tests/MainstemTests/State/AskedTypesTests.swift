// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemSignals
import Testing

private struct ResponseFound: Response {}
private struct RequestFind: Request { typealias Answer = ResponseFound }
private struct ResponseWeighed: Response {}
private struct RequestWeigh: Request { typealias Answer = ResponseWeighed }
private struct ResponseDrawn: Response {}
private struct RequestDraw: Request { typealias Answer = ResponseDrawn }
private struct ResponseRung: Response {}
private struct RequestRing: Request { typealias Answer = ResponseRung }

/// Asks what nobody answers.
private struct Asker: ViewModel {
  static func handlers(_ on: inout Handlers<Self>) {
    on.opened(asks: [RequestFind.self]) { _, run in
      run.ask(RequestFind()) { _, _ in
      } failed: { _, _ in
      }
    }
    on.command("weigh", asking: { _ in RequestWeigh() }, then: { _, _ in })
    on.command("draw", asks: [RequestDraw.self]) { _, run in run.ask(RequestDraw()) { _, _ in } }
    on.command("drawOne", with: Int.self, asks: [RequestDraw.self]) { _, _, run in
      run.ask(RequestDraw()) { _, _ in }
    }
  }
}

private struct Bell: Reactor {
  struct State: Codable {}
  var state = State()
  func mutate(_ action: Int) -> Signal<Int, Failure> { asking(RequestRing()).map { _ in 1 } }
  static func reduce(_ state: inout State, _ mutation: Int) {}
  static func shown(_ on: inout Shown<Self>) {
    on.action("ring", 1, asks: [RequestRing.self])
  }
}

@Suite("What view models ask") struct AskedTypesTests {
  private let folder = Folder()

  @Test func `its types are known when they are opened, in a replay too`() throws {
    let path = folder.file("session")
    let context = try Context()
    try context.record(to: path)
    let known = try open(in: context)
    let (view, ringer) = (
      try context.bind(to: known.asker) { _ in }, try context.bind(to: known.bell) { _ in }
    )
    for name in ["draw", "weigh"] { try view.run(name) }
    try view.run("drawOne", 1)
    try ringer.run("ring")
    #expect(try context.stats().types == known.types)
    #expect(try context.stats().requests == 0)
    try context.close()

    let again = try Context()
    #expect(try open(in: again).types == known.types)
    let replay = try again.replay(path, mode: .verify)
    try replay.toEnd()
    #expect(try again.stats().types == known.types)
  }

  /// Opens the program, and counts the types that are known then.
  private func open(in context: Context) throws -> (asker: Context, bell: Context, types: UInt64) {
    let (asker, bell) = (try context.open(Asker()), try context.open(Bell()))
    return (asker, bell, try context.stats().types)
  }
}
