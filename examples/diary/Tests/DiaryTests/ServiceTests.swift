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

  @Test func `who is signed out has no entries`() throws {
    let world = try World(Account())
    #expect(try failure(world, RequestReloadEntries())?.userMessage == "Please sign in.")
    #expect(try failure(world, RequestDeleteEntry(id: 1))?.userMessage == "Please sign in.")
    #expect(world.pages.calls == 0)
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
}
