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

/// The app in virtual time, with a network that answers in turn, and a stage that notes what it is asked.
struct World {
  let test = TestContext()
  let network: Stub<RequestHttp>
  let stage: RecordingStage

  init(_ answers: [StubAnswer<ResponseHttp>]) throws {
    network = test.stub(RequestHttp.self, answers)
    try install(in: test.context, patience: .seconds(10))
    stage = test.stage { _ in }
  }

  func widget() -> TestView { test.open(UsersWidget(site: "http://site")) }

  /// The component with a URL, that was opened last.
  func component(_ url: String) throws -> Component {
    try #require(try test.context.navigator.tree.last { $0.url == url })
  }

  func owner(of component: Component) throws -> Context {
    try #require(try test.context.scope(number: component.owner))
  }

  func owner(of url: String) throws -> Context { try owner(of: try component(url)) }

  func view(of url: String) throws -> Binding {
    try test.context.bind(to: try owner(of: url)) { _ in }
  }

  /// Says that the view of a dashboard is there.
  func load(_ dashboard: Component? = nil) throws {
    let owner = try owner(of: try dashboard ?? component("dashboard"))
    let view = try test.context.bind(to: owner) { _ in }
    try view.run("didLoad")
    view.end()
    test.advance(by: .zero)
  }

  /// Closes the screen, as a user does with a gesture.
  func back() throws {
    try test.context.navigator.gone(try component("dashboard").number)
    test.advance(by: .zero)
  }

  /// What a component shows.
  func shown(_ name: String, of component: Component) throws -> String {
    var text = ""
    let view = try test.context.bind(to: try owner(of: component)) { rows in
      rows.show(name) { (shown: String) in text = shown }
    }
    view.end()
    return text
  }

  func shown(_ name: String, of url: String) throws -> String {
    try shown(name, of: try component(url))
  }

  /// The service lives on. What is asked on the way is not what these tests are about.
  func end() {
    test.keep()
    test.skip()
  }
}

extension StubAnswer<ResponseHttp> {
  static func body(_ text: String) -> Self { .answer(ResponseHttp(body: text)) }
}
