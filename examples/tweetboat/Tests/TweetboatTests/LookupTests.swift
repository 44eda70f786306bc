// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

@testable import Tweetboat

@Suite("Lookup") struct LookupTests {
  private let jack = User(
    name: "jack", fullName: "Jack Tar", about: "Rows.", followers: 3, avatar: "/avatar/jack")

  private func page(_ ids: ClosedRange<Int>, isLast: Bool = false) -> ResponseTimeline {
    let tweets = ids.map { Tweet(id: $0, author: jack, text: "Tweet \($0)") }
    return ResponseTimeline(user: jack, tweets: tweets, isLast: isLast)
  }

  private func lookup(_ site: String = "") -> Lookup {
    Lookup(site: site, pictures: Pictures(patience: .seconds(10)))
  }

  @Test(arguments: ["abc", "a_1", "JACK", "abcdefghijklmno"])
  func `3 to 15 letters, digits or underscores are a name`(_ name: String) {
    var lookup = self.lookup()
    lookup.username = name
    #expect(lookup.isUsernameValid)
  }

  @Test(arguments: ["", "ab", "no one", "åäö", "a/b", "abcdefghijklmnop"])
  func `anything else is none`(_ name: String) {
    var lookup = self.lookup()
    lookup.username = name
    #expect(!lookup.isUsernameValid)
  }

  @Test func `the loading row stays until all is loaded, and says why a page is missing`() {
    var lookup = self.lookup()
    #expect(lookup.loadingRow == "")
    lookup.went(page(1...2))
    #expect(lookup.loadingRow == "Loading …")
    #expect(lookup.more().page == 2)
    #expect(throws: Failure.self) { try lookup.failed(Failure("LATE", userMessage: "Too late.")) }
    #expect(lookup.loadingRow == "Too late.")
    #expect(lookup.more().page == 2)
    #expect(lookup.loadingRow == "Loading …")
    lookup.came(page(3...4, isLast: true))
    #expect(lookup.loadingRow == "")
    #expect(lookup.loads == 0)
  }

  @Test func `a tweet that has moved to the next page is there once`() {
    var lookup = self.lookup()
    lookup.went(page(1...3))
    _ = lookup.more()
    lookup.came(page(3...5))
    #expect(lookup.rows.map(\.id) == [1, 2, 3, 4, 5])
  }

  @Test func `nothing more is loaded while a look-up is on its way`() {
    let test = TestContext()
    test.stub(RequestPicture.self) { _ in ResponsePicture() }
    test.stub(
      RequestFetchTimeline.self,
      [.answer(page(1...2)), .after(.seconds(1), .answer(page(7...9)))])
    let shown = test.open(lookup())
    shown.set("username", "jack")
    shown.run("go")
    test.expect(shown, "canLoadMore", true)
    let second = shown.run("go")
    #expect(shown.run("loadMore").failure?.code == .disabled)
    test.advance(by: .seconds(1))
    #expect(second.isDone)
    test.expect(shown, "canLoadMore", true)
    test.skip()
  }

  @Test func `a look-up takes the place of the one before, and of the page that is awaited`() {
    let test = TestContext()
    test.stub(RequestPicture.self) { _ in ResponsePicture() }
    let site = test.stub(
      RequestFetchTimeline.self,
      [.never, .answer(page(1...2)), .never, .answer(page(7...9, isLast: true))])
    let shown = test.open(lookup("http://site"))
    shown.set("username", "jack")
    let first = shown.run("go")
    let second = shown.run("go")
    #expect(first.failure?.code == .cancelled)
    #expect(second.isDone)
    let more = shown.run("loadMore")
    test.expect(shown, "isLoading", true)
    shown.run("go")
    #expect(more.failure?.code == .cancelled)
    test.expect(shown, "isLoading", false)
    test.expect(shown, "avatar", "/avatar/jack")
    test.expect(shown, "canLoadMore", false)
    #expect(site.calls == 4)
    test.skip()
  }
}
