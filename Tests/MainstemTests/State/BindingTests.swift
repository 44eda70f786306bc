// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct CellTitle: Notice, TextEvent {
  static let name = "Cell.title"
  var text: String
}

private struct CellCount: Notice, ScalarEvent {
  static let name = "Cell.count"
  var value: Int
}

private struct CellTags: Notice {
  static let name = "Cell.tags"
  var tags: [String]
}

private struct Stepper: ViewModel {
  var step = 1
  var count = 0

  static func handlers(_ on: inout Handlers<Self>) {
    on.writable("step", \.step)
    on.shows("count", \.count)
  }
}

private struct StepperCount: Notice, ScalarEvent {
  static let name = "Stepper.count"
  static let role = Role.value
  static let layer = Layer.viewModel
  var value: Int
}

/// What a view holds of its owner: the same as in Tests/CTests/binding.c, through the Swift face.
@Suite struct BindingTests {
  let context: Context
  let owner, other, view: Context

  init() throws {
    context = try Context()
    owner = try context.scope("Cell")
    other = try context.scope("Cell")
    view = try context.scope("View")
    try context.keepHistory(of: CellTitle.self, last: 10)
    _ = try context.observe(CellCount.self) { _, _ in }
    _ = try context.observe(CellTags.self) { _, _ in }
  }

  @Test func `rows get what is kept, then each change`() throws {
    var shown: [String] = []
    try owner.send(CellTitle(text: "one"))
    let binding = try view.bind(to: owner) { rows in
      rows.show("title") { (title: String) in shown.append(title) }
      rows.show("count") { (count: Int) in shown.append("\(count)") }
      rows.show("tags") { (tags: CellTags) in shown.append(tags.tags.joined()) }
    }
    try other.send(CellTitle(text: "none"))
    try owner.send(CellCount(value: 3))
    try owner.send(CellTags(tags: ["a", "b"]))
    #expect(shown == ["one", "3", "ab"])
    try binding.retarget(to: other)
    try owner.send(CellTitle(text: "old"))
    try other.send(CellTitle(text: "two"))
    #expect(shown == ["one", "3", "ab", "none", "two"])
    try binding.retarget(to: nil)
    try other.send(CellTitle(text: "nobody"))
    #expect(shown.count == 5)
  }

  @Test func `what a view writes is an input of its owner`() throws {
    var heard: [String] = []
    let subscription = try context.observe(CellTitle.self, of: owner) { title, delivery in
      heard.append("\(title.text) \(delivery.isOutside)")
    }
    let binding = try view.bind(to: owner) { _ in }
    try binding.set("title", "jack")
    #expect(throws: StreamError.self) { try binding.set("titel", "x") }
    #expect(throws: StreamError.self) { try binding.set("count", "not a number") }
    try binding.set("count", 7)
    try binding.retarget(to: nil)
    #expect(throws: StreamError.self) { try binding.set("title", "x") }
    #expect(heard == ["jack true"])
    subscription.cancel()
  }

  @Test func `a view writes only what is writable`() throws {
    let stepper = try context.open(Stepper())
    var counts: [Int] = []
    let binding = try view.bind(to: stepper, as: Stepper.self) { rows in
      rows.show(\.count) { counts.append($0) }
    }
    try binding.set(\.step, 5)
    for write in [{ try binding.set(\.count, 5) }, { try binding.set("count", 5) }] {
      let error = #expect(throws: StreamError.self) { try write() }
      #expect(error?.status == .invalid)
      #expect(error?.message.contains("count is only shown: run a command") == true)
    }
    #expect(counts == [0])
  }

  @Test func `no other scope sets what a view model shows`() throws {
    let stepper = try context.open(Stepper())
    _ = try context.drain()
    for scope in [context, view] {
      let error = #expect(throws: StreamError.self) { try scope.set(StepperCount(value: 5)) }
      #expect(error?.message.contains("is not the scope of the model that shows it") == true)
    }
    withExtendedLifetime(stepper) {}
  }

  @Test func `changes are told once per drain`() throws {
    var told: [[String]] = []
    let binding = try view.bind(to: owner) { rows in
      rows.watch("title")
      rows.watch("count")
    }
    try binding.onChanges { told.append($0) }
    for count in 0..<3 { try owner.send(CellCount(value: count)) }
    try owner.send(CellTitle(text: "x"))
    #expect(told.isEmpty)
    _ = try context.drain()
    #expect(told == [["count", "title"]])
    try binding.onChanges(nil)
    try owner.send(CellTitle(text: "y"))
    _ = try context.drain()
    #expect(told.count == 1)
  }

  @Test func `it ends when it is released, and what throws is a failure`() throws {
    var calls = 0
    do {
      let binding = try view.bind(to: owner) { rows in
        rows.show("title") { (_: String) in
          calls += 1
          throw Failure("no")
        }
      }
      try owner.send(CellTitle(text: "one"))
      withExtendedLifetime(binding) {}
    }
    try owner.send(CellTitle(text: "two"))
    #expect(calls == 1)
    #expect(try context.stats().failures == 1)
    #expect(throws: StreamError.self) {
      _ = try view.bind(to: owner) { $0.show("titel") { (_: String) in } }
    }
  }
}
