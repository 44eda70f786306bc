// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

@Suite("Test views") struct TestViewTests {
  @Test func `go is enabled by a valid name only`() {
    let test = TestContext()
    let shown = test.open(Lookup())
    test.expect(shown, "isUsernameValid", false)
    #expect(shown.run("go").failure?.code == .disabled)
    shown.set("username", "jack")
    test.expect(shown, "isUsernameValid", true)
    test.expect(shown, "go.enabled", true)
  }

  @Test func `what it asks is expected, what it shows is not`() throws {
    let test = TestContext()
    test.stub(RequestTimeline.self, [.after(.seconds(1), .answer(ResponseTimeline(tweets: [])))])
    let shown = test.open(Lookup(username: "jack"))
    let run = shown.run("go")
    test.expect(RequestTimeline(username: "jack"))
    test.expect(shown, "go.executing", true)
    #expect(run.outcome == nil)
    test.advance(by: .seconds(1))
    test.expect(ResponseTimeline(tweets: []))
    #expect(run.isDone)
    test.expect(shown, "go.executing", false)
  }

  @Test func `children are views, too`() throws {
    let test = TestContext()
    let tweets = [Tweet(id: 1, text: "a"), Tweet(id: 2, text: "b")]
    let shown = test.open(Lookup(tweets: tweets))
    let numbers = try #require(try shown.value(of: "cells", as: [UInt64].self))
    let cell = try #require(try shown.child(numbers[1]))
    test.expect(cell, "text", "b")
    cell.set("isLiked", true)
    test.expect(shown, "liked", [2])
  }

  @Test func `a view model that nobody looks at is no subscription too many`() throws {
    var kept: [Subscription] = []
    let test = TestContext()
    kept.append(try test.context.observe { _ in })
    test.open(Lookup())
    test.keep()
  }

  @Test func `another value, and a name that is none, are issues`() {
    let test = TestContext()
    let shown = test.open(Lookup())
    withKnownIssue { test.expect(shown, "username", "jack") }
    withKnownIssue { test.expect(shown, "userName", "") }
    withKnownIssue { shown.set("userName", "") }
  }
}
