// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

@testable import Dashboard

@Suite("What a site answers") struct SiteTests {
  @Test func `fields that are missing or not known are no error`() throws {
    let body = #"[{"id":7,"phone":"1"},{"name":"Ada","address":{"city":"London"}},{}]"#
    let users = try Site.users(ResponseHttp(body: body))
    #expect(users == [UserModel(id: 7), UserModel(name: "Ada"), UserModel()])
  }

  @Test(arguments: [
    "", "nonsense", "[", "{}", #"{"id":1}"#, "null", "3", "[1]", #"["Ada"]"#, #"[{"id":"1"}]"#,
    #"[{"id":1.5}]"#, #"[{"name":3}]"#, #"[{"id":99999999999999999999}]"#, "<html></html>",
  ])
  func `what is no list of users fails the load`(body: String) throws {
    let world = try World([.body(body), .body(two)])
    let shown = world.widget()
    world.test.expect(shown, "load", "failed")
    world.test.expect(shown, "problem", "The site has answered something else.")
    #expect(shown.run("retry").isDone)
    world.test.expect(shown, "count", "The system has 2 users")
    world.end()
  }
}
