// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

@testable import Dashboard

let clark = UserModel(id: 1, name: "Clark Kent", username: "Superman")
let bruce = UserModel(id: 2, name: "Bruce Wayne", username: "Batman")
let two = """
  [{"id":1,"name":"Clark Kent","username":"Superman","email":"not of interest"},
   {"id":2,"name":"Bruce Wayne","username":"Batman"}]
  """
let down = Failure("503", code: Status(rawValue: 1101))

/// The app in virtual time, with a network that answers in turn.
struct World {
  let test = TestContext()
  let network: Stub<RequestHttp>

  init(_ answers: [StubAnswer<ResponseHttp>]) throws {
    network = test.stub(RequestHttp.self, answers)
    try install(in: test.context, patience: .seconds(10))
  }

  func widget() -> TestView { test.open(UsersWidget(site: "http://site")) }

  /// The service lives on. What is asked on the way is not what these tests are about.
  func end() {
    test.keep()
    test.skip()
  }
}

extension StubAnswer<ResponseHttp> {
  static func body(_ text: String) -> Self { .answer(ResponseHttp(body: text)) }
}
