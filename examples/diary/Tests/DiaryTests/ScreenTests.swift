// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

@testable import DiaryApp

@Suite("Screens") @MainActor struct ScreenTests {
  @Test func `a page is read, edited and saved, and tells of it`() throws {
    let world = try World()
    let page = world.open(DiaryPage(id: 3))
    try world.hear(page, "saved", Int.self)
    world.test.expect(page, "text", "Day 3")
    world.test.expect(page, "canSave", false)
    #expect(page.run("save").failure?.code == .disabled)
    page.set("text", "Sun.")
    world.test.expect(page, "isEdited", true)
    #expect(page.run("save").isDone)
    world.test.expect(page, "isEdited", false)
    page.set("text", " ")
    world.test.expect(page, "canSave", false)
    #expect(world.told == ["saved 3"])
    world.test.skip()
  }

  @Test func `a new page becomes an entry`() throws {
    let world = try World()
    let page = world.open(DiaryPage(id: 0))
    world.test.expect(page, "canDelete", false)
    page.set("text", "New.")
    #expect(page.run("save").isDone)
    world.test.expect(page, "id", 13)
    world.test.expect(page, "canDelete", true)
    world.test.keep()
    world.test.skip()
  }

  @Test func `two pages of an entry show the same, but what is being edited stays`() throws {
    let world = try World()
    let pages = [world.open(DiaryPage(id: 3)), world.open(DiaryPage(id: 3))]
    pages[0].set("text", "Sun.")
    #expect(pages[0].run("save").isDone)
    world.test.expect(pages[1], "text", "Sun.")
    pages[1].set("text", "Rain.")
    pages[0].set("text", "Snow.")
    #expect(pages[0].run("save").isDone)
    world.test.expect(pages[1], "text", "Rain.")
    world.test.expect(pages[1], "isEdited", true)
    world.test.skip()
  }

  @Test func `a page says what is pressed, what is not saved, and that its entry has gone`() throws
  {
    let world = try World()
    let page = world.open(DiaryPage(id: 3))
    try world.hear(page, "deletePressed", Int.self)
    try world.hear(page, "closePressed", Bool.self)
    #expect(page.run("askDelete").isDone)
    page.run("close")
    #expect(world.told == ["deletePressed 3", "closePressed true"])
    page.set("text", "Sun.")
    #expect(try page.value(of: "unsaved", as: Int?.self) == .some(3))
    world.test.send(RequestDeleteEntry(id: 3))
    world.test.expect(page, "isGone", true)
    #expect(try page.value(of: "unsaved", as: Int?.self) == .some(nil))
    #expect(page.run("askDelete").failure?.code == .disabled)
    world.test.keep()
    world.test.skip()
  }

  @Test func `a page that is not there says why`() throws {
    let world = try World()
    let page = world.open(DiaryPage(id: -1))
    world.test.expect(page, "problem", "This entry is gone.")
    world.test.expect(page, "canDelete", false)
    world.test.skip()
  }

  @Test func `the guide is understood once it is kept`() throws {
    let world = try World()
    let guide = world.open(Guide())
    try world.hear(guide, "understood", Bool.self)
    #expect(guide.run("understand").isDone)
    #expect(world.told == ["understood true"])
    world.test.keep()
    world.test.skip()
  }

  @Test func `there is an idea for each day, and another one`() throws {
    let world = try World(pages: [World.page(9...12)])
    _ = world.open(DiaryList())
    let idea = world.open(Idea())
    world.test.expect(idea, "text", Idea.texts[12 % Idea.texts.count])
    #expect(idea.run("another").isDone)
    world.test.expect(idea, "text", Idea.texts[13 % Idea.texts.count])
    world.test.skip()
  }

  @Test func `the first sign-in needs a name and the terms`() throws {
    let world = try World(Account())
    let screen = world.open(SignIn())
    try world.hear(screen, "signedIn", String.self)
    world.test.expect(screen, "hint", "Please enter your name.")
    screen.set("nickname", "A")
    world.test.expect(screen, "hint", "A name has 2 to 15 letters or digits.")
    screen.set("nickname", "Ada")
    world.test.expect(screen, "hint", "Please agree to the terms.")
    #expect(screen.run("signIn").failure?.code == .disabled)
    screen.set("hasAgreed", true)
    world.test.expect(screen, "hint", "")
    #expect(screen.run("signIn").isDone)
    #expect(world.told == ["signedIn Ada"])
    world.test.skip()
  }

  @Test func `whoever was here before is offered their name`() throws {
    let world = try World(Account(nickname: "Ada", hasAgreed: true))
    let screen = world.open(SignIn())
    world.test.expect(screen, "nickname", "Ada")
    world.test.expect(screen, "canSignIn", true)
    world.test.skip()
  }

  @Test func `the drawer shows who it is`() throws {
    let world = try World(pages: [World.page(9...12)])
    let list = world.open(DiaryList())
    let drawer = world.open(Drawer())
    world.test.expect(drawer, "summary", "Ada, 12 written")
    world.test.send(RequestPerformSignOut())
    world.test.expect(drawer, "summary", "Nobody is signed in.")
    world.test.expect(drawer, "nickname", "")
    #expect(drawer.run("signOut").failure?.code == .disabled)
    #expect(list.run("more").failure?.code == .disabled)
    world.test.skip()
  }
}
