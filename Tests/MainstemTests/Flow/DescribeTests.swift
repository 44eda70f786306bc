// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct ResponseGreeting: Response { var text: String }
private struct RequestGreet: Request {
  typealias Answer = ResponseGreeting
  var name: String
}
private struct Welcomed: Notice { var name: String }

private struct Greeter: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestGreet.self) { _, request in ResponseGreeting(text: "Hello, \(request.name)") }
  }
}

@Suite struct DescribeTests {
  @Test func `a context says who handles and who observes each type`() throws {
    let context = try Context()
    try context.install(Greeter())
    let view = try context.scope("View")
    let row = try view.scope("Row", rights: Rights(sends: [.view]))
    let other = try view.scope("Row")
    let subscriptions = try [row, row, other].map { try $0.observe(Welcomed.self) { _, _ in } }
    let every = try view.observe { _ in }

    let description = try context.describe()

    #expect(description.scopes.map(\.name) == ["", "Greeter", "View", "Row", "Row"])
    #expect(description.scopes.map(\.parent) == [nil, 0, 0, 2, 2])
    #expect(description.scopes[1].kind == "server")
    #expect(description.scopes[3].sends == ["view"])
    #expect(description.scopes[3].observes == nil)
    #expect(description.scopes[3].number == (try row.number))
    #expect(description.path(of: 3) == "View/Row")
    let asked = try #require(description.types.first { $0.name == "RequestGreet" })
    #expect(asked.role == "request" && asked.response == "ResponseGreeting")
    #expect(asked.handlers.map(\.name) == ["Greeter"])
    let told = try #require(description.types.first { $0.name == "Welcomed" })
    #expect(told.observers.map(\.scope) == [3, 4])
    #expect(told.observers.map(\.count) == [2, nil])
    #expect(description.observers.map(\.name) == ["View"])
    withExtendedLifetime((subscriptions, every)) {}
  }

  /// The same text as in Tests/PythonTests/test_describe.py.
  @Test func `it is drawn as a flowchart`() throws {
    let context = try Context()
    try context.install(Greeter())
    let view = try context.scope("View")
    let rows = try (0..<2).map { _ in try view.scope("Row \"1\"") }
    let subscriptions = try rows.map { try $0.observe(Welcomed.self) { _, _ in } }
    let every = try view.observe { _ in }

    #expect(
      try context.describe().mermaid() == """
        flowchart LR
          n0{{"RequestGreet"}}
          n1(["Greeter"])
          n0 ==> n1
          n2("ResponseGreeting")
          n1 --> n2
          n3["Welcomed"]
          n4(["View/Row #34;1#34;"])
          n3 -.->|"2 times"| n4
          n5(("every event"))
          n6(["View"])
          n5 -.-> n6

        """)
    withExtendedLifetime((subscriptions, every)) {}
  }

  @Test func `a closed context is refused`() throws {
    let context = try Context()
    try context.close()

    let refused = #expect(throws: StreamError.self) { _ = try context.describe() }
    #expect(refused?.status == .stale)
  }
}
