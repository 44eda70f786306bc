// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct FormName: Notice, TextEvent {
  static let name = "Form.name"
  static let role = Role.value
  var text: String
}

/// Rows that a drain calls: the same as in Tests/CTests/binding_rows.c, through the Swift face.
@Suite struct RowTests {
  let context: Context
  let owner, view: Context

  init() throws {
    context = try Context()
    owner = try context.scope("Form")
    view = try context.scope("View")
    try owner.set(FormName(text: "one"))
  }

  @Test func `a two-way row gets the newest, but not what its binding has set`() throws {
    var (shown, binding) = ([String](), Binding?.none)
    binding = try view.bind(to: owner) { rows in
      rows.twoWay("name") { (name: String) in
        shown.append(name)
        try binding?.set("name", "echo")
      }
    }
    #expect(shown == [])
    try context.drain()
    try binding?.set("name", "typed")
    try context.drain()
    try owner.set(FormName(text: "two"))
    try owner.set(FormName(text: "three"))
    try context.drain()
    #expect(shown == ["one", "three"])
    #expect(try context.stats().events == 4)
    binding = nil
  }

  @Test func `a row on the host gets each change; others of its name do so at once`() throws {
    var shown: [String] = []
    let binding = try view.bind(to: owner) { rows in
      rows.show("name", onHost: true) { (name: String) in shown.append("host \(name)") }
      rows.show("name") { (name: String) in shown.append(name) }
    }
    try owner.set(FormName(text: "two"))
    #expect(shown == ["one", "two"])
    try context.drain()
    #expect(shown == ["one", "two", "host one", "host two"])
    binding.end()
  }

  @Test func `the end of an owner is told after its last value`() throws {
    var seen: [String] = []
    let binding = try view.bind(to: owner) { rows in
      rows.twoWay("name") { (name: String) in seen.append(name) }
    }
    try binding.onEnded { seen.append("empty") }
    try owner.close()
    #expect(throws: StreamError.self) { try binding.set("name", "x") }
    #expect(seen == [])
    try context.drain()
    #expect(seen == ["one", "empty"])
    let other = try context.scope("Form")
    try binding.retarget(to: other)
    try binding.onEnded(nil)
    try other.close()
    try context.drain()
    #expect(seen == ["one", "empty"])
  }
}
