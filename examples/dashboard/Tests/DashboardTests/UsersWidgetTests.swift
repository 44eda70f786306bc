// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

@testable import Dashboard

@Suite("UsersWidget") struct UsersWidgetTests {
  /// The view model as a value: no context, no site.
  private func widget(_ users: [UserModel], _ query: String) -> UsersWidget {
    var widget = UsersWidget(site: "")
    widget.came(ResponseUsers(users: users))
    widget.query = query
    return widget
  }

  @Test(arguments: [
    ("", "---"), ("1", "I found Clark Kent aka Superman"),
    ("2", "I found Bruce Wayne aka Batman"), ("9", "User not found"), ("abc", "User not found"),
    (" ", "User not found"), ("1.0", "User not found"),
    ("99999999999999999999", "User not found"),
  ])
  func `a query is an id, or finds nobody`(query: String, found: String) {
    #expect(widget([clark, bruce], query).found == found)
  }

  @Test func `whoever has no id is never found`() {
    let nobody = UserModel(id: nil, name: "No One", username: "nobody")
    #expect(widget([nobody], "abc").found == "User not found")
    #expect(widget([nobody], "").found == "---")
  }

  @Test func `a name that is missing is left out`() {
    #expect(widget([UserModel(id: 3, name: "Ada")], "3").found == "I found Ada")
    #expect(widget([UserModel(id: 3, username: "ada")], "3").found == "I found ada")
    #expect(widget([UserModel(id: 3)], "3").found == "User not found")
  }

  @Test func `each load ends, and a failed one has neither count nor found`() {
    var widget = UsersWidget(site: "")
    widget.query = "1"
    #expect((widget.load, widget.count, widget.found) == (.initialized, "", "---"))
    _ = widget.fetch()
    #expect((widget.load, widget.count, widget.found) == (.loading, "", "---"))
    widget.failed(Failure("DOWN", userMessage: "Out of order."))
    #expect((widget.load, widget.count, widget.found) == (.failed, "", "---"))
    #expect((widget.problem, widget.canRetry) == ("Out of order.", true))
    _ = widget.fetch()
    widget.came(ResponseUsers(users: [clark]))
    #expect((widget.load, widget.count) == (.loaded, "The system has 1 users"))
    #expect((widget.problem, widget.found) == ("", "I found Clark Kent aka Superman"))
  }

  @Test func `the users may come after the query`() throws {
    let world = try World([.after(.seconds(1), .body(two))])
    let shown = world.widget()
    world.test.expect(shown, "load", "loading")
    shown.set("query", "2")
    world.test.expect(shown, "found", "---")
    world.test.advance(by: .seconds(1))
    world.test.expect(shown, "found", "I found Bruce Wayne aka Batman")
    world.end()
  }

  @Test func `one fetch for all widgets, those on their way and those to come`() throws {
    let world = try World([.after(.seconds(1), .body(two))])
    let early = (1...5).map { _ in world.widget() }
    world.test.advance(by: .seconds(1))
    for shown in early + [world.widget()] {
      world.test.expect(shown, "count", "The system has 2 users")
    }
    #expect(world.network.calls == 1)
    world.end()
  }

  @Test func `a failure ends the load, and a retry begins it anew`() throws {
    let world = try World([.failure(down), .after(.seconds(1), .failure(down)), .body(two)])
    let shown = world.widget()
    shown.set("query", "1")
    world.test.expect(shown, "load", "failed")
    let second = shown.run("retry")
    world.test.expect(shown, "problem", "")
    #expect(shown.run("retry").failure?.code == .disabled)
    world.test.advance(by: .seconds(1))
    #expect(second.failure?.userMessage == "The site is out of order.")
    world.test.expect(shown, "load", "failed")
    #expect(shown.run("retry").isDone)
    world.test.expect(shown, "found", "I found Clark Kent aka Superman")
    shown.set("query", "2")
    world.test.expect(shown, "found", "I found Bruce Wayne aka Batman")
    #expect(world.network.calls == 3)
    world.end()
  }

  @Test func `a site that does not answer is given up`() throws {
    let world = try World([.never])
    let shown = world.widget()
    world.test.advance(by: .seconds(10))
    world.test.expect(shown, "isLoading", false)
    world.test.expect(shown, "problem", "The site does not answer.")
    world.end()
  }
}
