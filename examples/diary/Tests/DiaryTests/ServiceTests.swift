// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

@testable import DiaryApp

@Suite("Services") @MainActor struct ServiceTests {
  /// Asks, and returns the answer if it is there already.
  private func ask<R: Request>(_ world: World, _ request: R) throws -> Result<R.Answer, Failure>? {
    var answer: Result<R.Answer, Failure>?
    _ = try world.test.context.request(request) { result, _ in answer = result }
    world.test.keep()
    world.test.skip()
    return answer
  }

  private func failure<R: Request>(_ world: World, _ request: R) throws -> Failure? {
    if case .failure(let failure) = try ask(world, request) { failure } else { nil }
  }

  /// What is heard of an event type while something is done.
  private func heard<E: Event>(
    _ world: World, _ type: E.Type, _ body: () throws -> Void
  ) throws -> [E] {
    var events: [E] = []
    let hearing = try world.test.context.observe(E.self) { event, _ in events.append(event) }
    try body()
    hearing.cancel()
    return events
  }

  @Test func `the user is read once, and who comes late gets the present value`() throws {
    let world = try World()
    for _ in 1...2 { _ = try ask(world, RequestUser()) }
    let nicknames = try heard(world, UserNickname.self) {
      _ = try ask(world, RequestPerformSignIn(nickname: "Ben", hasAgreed: false))
      _ = try ask(world, RequestPerformSignOut())
    }
    #expect(nicknames.map(\.text) == ["Ada", "Ben"])
    #expect(world.accounts.calls == 1)
  }

  @Test func `nobody signs in who has not agreed, and one who has need not do so again`() throws {
    let world = try World(Account())
    let hasty = RequestPerformSignIn(nickname: "Ada", hasAgreed: false)
    #expect(try failure(world, hasty)?.message == "NOT_AGREED")
    let signed = try ask(world, RequestPerformSignIn(nickname: "Ada", hasAgreed: true))
    #expect(try signed?.get().account.isSignedIn == true)
    let signedOut = try ask(world, RequestPerformSignOut())
    #expect(try signedOut?.get().account.isSignedIn == false)
    #expect(try failure(world, hasty) == nil)
  }

  @Test func `a fetch changes nothing, also where it is the first question of all`() throws {
    let world = try World()
    #expect(try ask(world, RequestFetchEntry(id: 3))?.get().entry == World.entry(3))
    let totals = try heard(world, DiaryTotal.self) {
      _ = try ask(world, RequestFetchEntry(id: 4))
    }
    #expect(totals == [DiaryTotal(count: nil)])
    #expect(try world.test.context.stats().failures == 0)
  }

  @Test func `each change is told once, and counted`() throws {
    let world = try World()
    let totals = try heard(world, DiaryTotal.self) {
      let created = try heard(world, EntryCreated.self) {
        _ = try ask(world, RequestCreateEntry(text: "New"))
      }
      let updated = try heard(world, EntryUpdated.self) {
        _ = try ask(world, RequestUpdateEntry(id: 3, text: "Sun."))
      }
      let deleted = try heard(world, EntryDeleted.self) {
        _ = try ask(world, RequestDeleteEntry(id: 3))
      }
      #expect(created.map(\.entry.id) == [13])
      #expect(updated.map(\.entry.text) == ["Sun."])
      #expect(deleted == [EntryDeleted(id: 3)])
    }
    #expect(totals.map(\.count) == [nil, 13, 12, 11])
  }

  @Test func `a change that a closed page had asked for is told`() throws {
    let world = try World(writing: .seconds(1))
    let page = try world.test.context.scope("Page")
    let saving = try page.request(RequestUpdateEntry(id: 3, text: "Sun.")) { _, _ in }
    try page.close()
    let updated = try heard(world, EntryUpdated.self) { world.test.advance(by: .seconds(1)) }
    #expect(updated.map(\.entry.text) == ["Sun."])
    withExtendedLifetime(saving) {}
    world.test.keep()
    world.test.skip()
  }

  @Test func `what a closed page had asked for while nobody is signed in is not done`() throws {
    let world = try World(Account())
    let page = try world.test.context.scope("Page")
    let saving = try page.request(RequestUpdateEntry(id: 3, text: "Sun.")) { _, _ in }
    try page.close()
    let updated = try heard(world, EntryUpdated.self) {
      _ = try ask(world, RequestPerformSignIn(nickname: "Ada", hasAgreed: true))
    }
    #expect(updated == [])
    withExtendedLifetime(saving) {}
    world.test.keep()
    world.test.skip()
  }

  @Test func `what is asked while nobody is signed in waits for the sign-in`() throws {
    let world = try World(Account(), pages: [World.page(9...12)])
    var answers: [Result<ResponsePage, Failure>] = []
    _ = try world.test.context.request(RequestReloadEntries()) { result, _ in
      answers.append(result)
    }
    world.test.advance(by: .seconds(1000))
    #expect((answers.count, world.pages.calls) == (0, 0))
    _ = try ask(world, RequestPerformSignIn(nickname: "Ada", hasAgreed: true))
    #expect(try answers.map { try $0.get().entries.count } == [4])
  }

  @Test
  func `one session is begun for all that have met the end of one, and each is asked once more`()
    throws
  {
    let late = StubAnswer<ResponseSession>.after(.seconds(1), .answer(ResponseSession()))
    let ended = StubAnswer<ResponseEntries>.after(.seconds(1), .failure(World.ended))
    let world = try World(
      pages: [ended, ended, ended] + Array(repeating: World.page(9...12), count: 4),
      renewals: [late])
    var answers: [Result<ResponsePage, Failure>] = []
    func reload() throws {
      _ = try world.test.context.request(RequestReloadEntries()) { result, _ in
        answers.append(result)
      }
    }
    for _ in 1...3 { try reload() }
    world.test.advance(by: .seconds(1))
    try reload()  // waits for the session, and is asked once
    #expect((answers.count, world.pages.calls) == (0, 3))
    world.test.advance(by: .seconds(1))
    #expect(try answers.map { try $0.get().entries.count } == [4, 4, 4, 4])
    #expect((world.pages.calls, world.renewals.calls) == (7, 1))
    world.test.keep()
    world.test.skip()
  }

  @Test func `without another session, who asked is told, and the user is signed out`() throws {
    let world = try World(
      pages: [.failure(World.ended), World.page(9...12)], renewals: [.failure(World.signedOut)])
    var refused: Failure?
    let signedIn = try heard(world, UserIsSignedIn.self) {
      refused = try failure(world, RequestReloadEntries())
    }
    #expect(refused?.userMessage == "Sign in again.")
    #expect(signedIn.map(\.value) == [true, false])
    let screen = world.open(SignIn())
    world.test.expect(screen, "hint", "Your session has ended. Please sign in again.")
    #expect(screen.run("signIn").isDone)
    world.test.expect(screen, "hint", "")
    #expect(try ask(world, RequestReloadEntries())?.get().entries.count == 4)
  }

  @Test func `a store that is out of order signs nobody out`() throws {
    let down = Failure("DISK", userMessage: "No disk.")
    let world = try World(
      pages: [.failure(World.ended), .failure(World.ended), World.page(9...12)],
      renewals: [.failure(down), .answer(ResponseSession())])
    #expect(try failure(world, RequestReloadEntries())?.userMessage == "No disk.")
    #expect(try ask(world, RequestReloadEntries())?.get().entries.count == 4)
    #expect(world.renewals.calls == 2)
  }

  @Test func `a store that does not answer is given up`() throws {
    let world = try World(pages: [.never])
    var answer: Result<ResponsePage, Failure>?
    _ = try world.test.context.request(RequestReloadEntries()) { result, _ in answer = result }
    world.test.advance(by: .seconds(10))
    guard case .failure(let failure) = answer else {
      Issue.record("\(String(describing: answer))")
      return
    }
    #expect(failure.userMessage == "The diary does not open.")
    #expect(failure.code == .timeout)
    world.test.keep()
    world.test.skip()
  }

  @Test func `a session that has ended leads to the sign-in, and nothing is asked`() throws {
    let pages = [World.page(9...12, isLast: true), .failure(World.ended)]
    let world = try World(pages: pages, renewals: [.failure(World.signedOut)])
    let stage = world.test.stage { on in on.flow("app") { _, _ in DiaryFlow() } }
    world.test.open("app")
    let top = try #require(try world.test.context.navigator.top)
    let owner = try #require(try world.test.context.scope(number: top.owner))
    let view = try world.test.context.bind(to: owner) { _ in }
    try view.run("refresh")
    view.end()
    world.test.advance(by: .zero)
    world.test.expectShown(stage, "show screen diary", "show screen signin/name", "hide diary")
    world.test.expectTree("app\n  signin\n    signin/name")
    world.test.keep()
    world.test.skip()
  }
}
