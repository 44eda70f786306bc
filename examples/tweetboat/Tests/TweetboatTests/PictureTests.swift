// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

@testable import Tweetboat

/// A provider that answers when a test says so.
private final class FakeSite {
  private(set) var replies: [Reply<RequestFetchPicture>] = []
  private(set) var asked: [String] = []
  let pictures: Resources<RequestPicture, RequestFetchPicture>

  private struct Provider: Server {
    let site: FakeSite

    static func handlers(_ on: inout Handlers<Self>) {
      on.event(RequestFetchPicture.self) { provider, request, delivery in
        provider.site.asked.append(request.text)
        provider.site.replies.append(try delivery.reply(to: RequestFetchPicture.self))
        return []
      }
    }
  }

  init(_ test: TestContext, limitBytes: Int = 64 << 20) throws {
    pictures = try test.context.addResources(
      "Pictures", RequestPicture.self, behind: RequestFetchPicture.self, drop: PictureDropped.self,
      limitBytes: limitBytes)
    test.install(Provider(site: self))
    test.keep()
  }

  /// Gives the bytes of all who wait.
  func answer(count: Int = 100) throws {
    for reply in replies where !reply.isSettled {
      try pictures.put([UInt8](repeating: 7, count: count), for: reply)
    }
  }

  /// Who still waits.
  var waiting: [String] { zip(asked, replies).filter { !$1.isSettled }.map(\.0) }

  func has(_ url: String) throws -> Bool {
    try pictures.bytes(of: RequestPicture(text: url)) != nil
  }
}

@Suite("Pictures") struct PictureTests {
  private func cell(_ id: Int = 1, picture: Bool = true) -> TweetCell {
    let jack = User(
      name: "jack", fullName: "Jack Tar", about: "Rows.", followers: 3, avatar: "/jack")
    let shown = picture ? Picture(url: "/boat\(id)", about: "A boat") : nil
    return TweetCell(
      TweetCell.Row(
        tweet: Tweet(id: id, author: jack, text: "Hello", picture: shown), patience: .seconds(10)))
  }

  @Test func `a cell asks when it appears, and not before`() throws {
    let test = TestContext()
    let site = try FakeSite(test)
    let shown = test.open(cell())
    #expect(site.asked.isEmpty)
    test.expect(shown, "pictureAbout", "A boat")
    let appeared = shown.run("appear")
    #expect(site.asked == ["/jack", "/boat1"])
    test.expect(shown, "avatar", "")
    try site.answer()
    #expect(appeared.isDone)
    test.expect(shown, "avatar", "/jack")
    test.expect(shown, "picture", "/boat1")
    test.skip()
  }

  @Test func `many cells ask for one avatar once`() throws {
    let test = TestContext()
    let site = try FakeSite(test)
    let cells = (1...5).map { test.open(cell($0, picture: false)) }
    for cell in cells { cell.run("appear") }
    #expect(site.asked == ["/jack"])
    try site.answer()
    for cell in cells { test.expect(cell, "avatar", "/jack") }
    test.skip()
  }

  @Test func `what goes out of sight is cancelled, if nobody else waits`() throws {
    let test = TestContext()
    let site = try FakeSite(test)
    let first = test.open(cell(1))
    let second = test.open(cell(2))
    let appeared = first.run("appear")
    second.run("appear")
    #expect(site.waiting == ["/jack", "/boat1", "/boat2"])
    first.run("disappear")
    #expect(appeared.failure?.code == .cancelled)
    #expect(site.waiting == ["/jack", "/boat2"])
    test.expect(first, "pictureProblem", "")
    second.run("disappear")
    #expect(site.waiting.isEmpty)
    test.skip()
  }

  @Test func `a picture that fails says why, and is asked for again on request`() throws {
    let test = TestContext()
    let site = try FakeSite(test)
    let shown = test.open(cell())
    shown.run("appear")
    try site.replies[0].fail(
      Failure("401", subject: "401", code: Status(rawValue: 1101)))
    try site.answer()
    test.expect(shown, "avatar", "")
    test.expect(shown, "picture", "/boat1")
    test.expect(shown, "pictureProblem", "The site does not show it to everybody.")
    shown.run("appear")
    test.expect(shown, "pictureProblem", "")
    #expect(site.waiting == ["/jack"])
    try site.answer()
    test.expect(shown, "avatar", "/jack")
    test.skip()
  }

  @Test func `a picture that does not come in time says so`() throws {
    let test = TestContext()
    let site = try FakeSite(test)
    let shown = test.open(cell(picture: false))
    let appeared = shown.run("appear")
    test.advance(by: .seconds(10))
    #expect(appeared.isDone)
    #expect(site.waiting.isEmpty)
    test.expect(shown, "pictureProblem", "The site does not answer. Try again.")
    test.skip()
  }

  @Test func `what disappears forgets its pictures, and gets them from what is kept`() throws {
    let test = TestContext()
    let site = try FakeSite(test)
    let shown = test.open(cell())
    shown.run("appear")
    try site.answer()
    shown.run("disappear")
    test.expect(shown, "picture", "")
    shown.run("appear")
    test.expect(shown, "picture", "/boat1")
    #expect(site.asked.count == 2)
    test.skip()
  }

  @Test func `no more is kept than the limit, and the oldest goes first`() throws {
    let test = TestContext()
    let site = try FakeSite(test, limitBytes: 3 * 240)
    for id in 1...4 {
      let shown = test.open(cell(id))
      shown.run("appear")
      try site.answer()
      try test.context.drain()
      shown.run("disappear")
    }
    #expect(try (1...4).map { try site.has("/boat\($0)") } == [false, false, true, true])
    #expect(try site.has("/jack"))
    #expect(site.asked.count == 5)
    test.skip()
  }
}
