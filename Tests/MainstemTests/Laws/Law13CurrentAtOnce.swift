// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Meter: ViewModel {
  var level = 1
  var isHigh: Bool { level > 5 }
  var alarm = Pulses<String>()

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("level", \.level)
    on.shows("isHigh", \.isHigh)
    on.pulse("alarm", \.alarm)
    on.command("set", with: Int.self) { meter, level in
      meter.level = level
      if meter.isHigh { meter.alarm("high") }
    }
  }
}

/// Law 13: current at once. Law 15: one change set.
extension LawTests {
  private final class Dial {
    private(set) var seen: [String] = []
    private(set) var binding: Binding?

    init(_ view: Context, _ meter: Context) throws {
      binding = try view.bind(to: meter) { [unowned self] rows in
        rows.show("level") { (level: Int) in self.seen.append("\(level)") }
        rows.show("isHigh") { (isHigh: Bool) in self.seen.append("\(isHigh)") }
        rows.show("alarm") { (text: String) in self.seen.append("\(text)!") }
      }
    }

    func take() -> [String] {
      defer { seen = [] }
      return seen
    }
  }

  @Test func `law 13: who binds gets what is there, then each change, once`() throws {
    let context = try Context()
    let meter = try context.open(Meter())
    let first = try Dial(context, meter)
    #expect(first.take() == ["1", "false"])
    try first.binding?.run("set", 7)
    try first.binding?.run("set", 7)
    #expect(first.take() == ["7", "true", "high!", "high!"])

    let late = try Dial(context, meter)
    #expect(late.take() == ["7", "true"], "a pulse is not kept")
    try late.binding?.run("set", 2)
    #expect(late.take() == ["2", "false"])
    #expect(first.take() == late.take() + ["2", "false"])
  }

  @Test func `law 15: a change set has each name once, in the order first changed`() throws {
    let context = try Context()
    let dial = try Dial(context, try context.open(Meter()))
    try context.drain()
    var told: [[String]] = []
    try dial.binding?.onChanges { told.append($0) }
    for level in [2, 9, 3, 8] { try dial.binding?.run("set", level) }
    #expect(told == [])
    try context.drain()
    #expect(told == [["level", "isHigh", "alarm"]])
    try context.drain()
    #expect(told.count == 1)
  }
}
