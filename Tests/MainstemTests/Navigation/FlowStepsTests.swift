// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct Confirmed: Notice { var isConfirmed: Bool }
private struct Said: Notice, Equatable { var what: String }
private struct ResponsePrice: Response { var cents: Int }
private struct RequestPrice: Request {
  typealias Answer = ResponsePrice
  var item: Int
}

private struct RequestQuote: Request { typealias Answer = ResponsePrice }

private struct Prices: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestPrice.self) { _, request in
      guard request.item > 0 else { throw Failure("NO_ITEM", code: 1001) }
      return ResponsePrice(cents: request.item * 100)
    }
  }
}

private struct Shop: ViewModel {
  var note = ""
  private var picked = Pulses<Int>()

  static func handlers(_ on: inout Handlers<Self>) {
    on.writable("note", \.note)
    on.pulse("picked", \.picked)
    on.command("pick", with: Int.self) { shop, item in shop.picked(item) }
  }
}

private struct Confirm: ViewModel {
  static func handlers(_ on: inout Handlers<Self>) {
    on.command("answer", with: Bool.self) { _, yes, run in
      run.finish(Confirmed(isConfirmed: yes))
    }
  }
}

extension Destination<Confirmed> {
  fileprivate static let confirm = Destination("confirm")
}

private struct ShopFlow: Coordinator {
  private var notes: [UInt64: String] = [:]

  static func routes(_ on: inout Routes<Self>) {
    on.screen("shop") { _, _ in Shop() }
    on.screen("item") { _, _ in Shop() }
    on.dialog(.confirm) { _, _ in Confirm() }
    on.guardedLeaving("item") { flow, route in
      guard flow.notes[route.component]?.isEmpty == false else { return .done(.allow) }
      return .open(.confirm) { _, answer in
        .done(answer.isConfirmed ? .allow : .refuse("It is not kept."))
      }
    }
  }

  static func intents(_ on: inout Intents<Self>) {
    on.intent("picked", of: Shop.self) { (_, item: Int) in
      if item == 8 {
        return .ask(RequestQuote()) { _, _ in
          .none
        } failed: { _, failure in
          .send(Said(what: failure.message))
        }
      }
      return .ask(RequestPrice(item: item)) { _, price in
        [.send(Said(what: "\(price.cents) cents")), .open("item")]
      } failed: { _, failure in
        .send(Said(what: failure.message))
      }
    }
    on.intent("note", of: Shop.self, whenHidden: .allowed) { (flow, note: String, component) in
      flow.notes[component] = note
      return .none
    }
  }
}

@Suite("Flows that ask") struct FlowStepsTests {
  private let test = TestContext()
  private let stage: RecordingStage

  init() {
    test.install(Prices())
    stage = test.stage { on in on.flow("app") { _, _ in ShopFlow() } }
    test.open("app")
  }

  private func top() throws -> Context {
    let owner = try #require(try test.context.navigator.top).owner
    return try #require(try test.context.scope(number: owner))
  }

  private func run(_ name: String, _ value: some Encodable) throws {
    let binding = try test.context.bind(to: try top()) { _ in }
    try binding.run(name, value)
    binding.end()
    test.advance(by: .zero)
  }

  /// Writes a note on a page, and asks that the page be left.
  private func leave(_ note: String) throws -> () -> Result<Void, Failure>? {
    try run("pick", 7)
    let binding = try test.context.bind(to: try top()) { _ in }
    try binding.set("note", note)
    binding.end()
    var left: Result<Void, Failure>?
    try test.context.navigator.pop { result, _ in left = result }
    test.advance(by: .zero)
    test.skip()
    return { left }
  }

  @Test func `a pulse is an intent, and a flow goes on with what it asks`() throws {
    try run("pick", 7)
    test.expect(RequestPrice(item: 7))
    test.expect(ResponsePrice(cents: 700))
    test.expect(Said(what: "700 cents"))
    test.expectTree("app\n  shop\n    item")
  }

  @Test func `a failure of what a flow asks leads where it says`() throws {
    try run("pick", 0)
    test.expect(RequestPrice(item: 0))
    test.expect(Failure("NO_ITEM", code: 1001))
    test.expect(Said(what: "NO_ITEM"))
    test.expectTree("app\n  shop")
  }

  @Test func `a flow that has ended takes no further step`() throws {
    test.stub(RequestQuote.self, [.never])
    try run("pick", 8)
    try test.context.navigator.gone(try test.context.navigator.tree[0].number)
    test.advance(by: .zero)
    test.expectTree("")
    #expect(try test.context.stats().failures == 0)
    test.skip()
  }

  @Test func `a page that nothing is written on is left at once`() throws {
    let left = try leave("")
    #expect(throws: Never.self) { try left()?.get() }
    test.expectTree("app\n  shop")
  }

  @Test(arguments: [true, false])
  func `a guard asks before something is left`(_ isConfirmed: Bool) throws {
    let left = try leave("Buy it.")
    test.expectTree("app\n  shop\n    item\n      confirm")
    #expect(left() == nil)
    try run("answer", isConfirmed)
    if case .failure(let failure) = left() {
      #expect(!isConfirmed && failure.code == .denied)
    } else {
      #expect(isConfirmed && left() != nil)
    }
    test.expectTree(isConfirmed ? "app\n  shop" : "app\n  shop\n    item")
    test.skip()
  }

  @Test func `a question that is dismissed refuses`() throws {
    let left = try leave("Buy it.")
    try test.context.navigator.dismiss()
    test.advance(by: .zero)
    guard case .failure(let failure) = left() else { Issue.record("it was left"); return }
    #expect(failure.code == .denied)
    test.expectTree("app\n  shop\n    item")
    test.skip()
  }
}
