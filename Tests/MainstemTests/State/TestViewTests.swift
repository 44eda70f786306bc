// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct Bell: ViewModel {
  var rung = Pulses<Int>()
  var loud = Pulses<String>()
  var count = 0

  static func handlers(_ on: inout Handlers<Self>) {
    on.pulse("rung", \.rung)
    on.pulse("loud", \.loud)
    on.command("ring", with: Int.self) { bell, number in
      bell.count += 1
      bell.rung(number)
      if bell.count == 2 { bell.loud("2 times") }
    }
  }
}

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

  @Test func `pulses are expected in turn, of each name and each instance`() throws {
    let test = TestContext()
    let (one, other) = (test.open(Bell()), test.open(Bell()))
    one.run("ring", 1)
    one.run("ring", 2)
    other.run("ring", 3)

    test.expect(one, pulse: "rung", 1)
    test.expect(other, pulse: "rung", 3)
    test.expect(one, pulse: "rung", 2)
    test.expect(one, pulse: "loud", "2 times")
    #expect(try one.takePulse("rung", as: Int.self) == nil)
    withKnownIssue { test.expect(one, pulse: "rung", 2) }
    one.run("ring", 4)
    withKnownIssue { test.expect(one, pulse: "rung", 5) }
    one.run("ring", 4)
    withKnownIssue { test.expect(one, pulse: "rung", 4.0) }
  }

  @Test func `values go by their properties`() {
    let test = TestContext()
    let shown = test.open(Mixer())
    shown.set(\.volume, 1)
    test.expect(shown, \.volume, 1)
    test.expect(shown, "volume", 1)
    #expect(shown.run(\.louder, 1).isDone)
    test.expect(shown, \.volume, 2)
    #expect(shown.run(\.mute).failure?.code == .disabled)
  }

  @Test func `a value of another type is an issue that names both`() {
    let test = TestContext()
    let shown = test.open(Mixer())
    func issue(_ message: String, _ body: () -> Void) {
      withKnownIssue {
        body()
      } matching: {
        "\($0)".contains(message)
      }
    }
    issue("Mixer.count is of type Int, and this is Double") { shown.set("count", 2.5) }
    issue("Mixer.volume is of type Double, and cannot be read as Bool") {
      test.expect(shown, "volume", true)
    }
    issue("Mixer.count is of type Int, and cannot be read as String") {
      test.expect(shown, "count", "3")
    }
    issue("but it is  0.5") { test.expect(shown, "volume", 1) }
    #expect(shown.run("louder", "much").failure?.code == .invalid)
    #expect(throws: StreamError.self) { try shown.value(of: "volume", as: Int.self) }
    #expect(throws: Failure.self) { try shown.value(of: "color", as: Int.self) }
  }

  @Test func `another value, and a name that is none, are issues`() {
    let test = TestContext()
    let shown = test.open(Lookup())
    withKnownIssue { test.expect(shown, "username", "jack") }
    withKnownIssue { test.expect(shown, "userName", "") }
    withKnownIssue { shown.set("userName", "") }
  }
}
