// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

enum Color: String, Codable { case red, green }

struct Mixer: ViewModel, Equatable {
  var volume = 0.5
  var count = 3
  var small: Int32 = 7
  var level: Float = 0.25
  var nick: String?
  var color = Color.red
  var isOn = false
  var name = "desk"
  var alert = Pulses<Int>()

  static let louder = Command<Double, Double>("louder")
  static let mute = Command<Void, Void>("mute")
  static let label = Command<String, Void>("label")

  static func handlers(_ on: inout Handlers<Self>) {
    on.writable("volume", \.volume)
    on.writable("count", \.count)
    on.writable("small", \.small)
    on.writable("level", \.level)
    on.writable("nick", \.nick)
    on.writable("color", \.color)
    on.writable("isOn", \.isOn)
    on.writable("name", \.name)
    on.shows("twice") { $0.volume * 2 }
    on.pulse("alert", \.alert)
    on.command(louder) { mixer, by in
      mixer.volume += by
      return mixer.volume
    }
    on.command(mute, enabled: \.isOn) { $0.volume = 0 }
    on.command(label) { $0.name = $1 }
  }
}

/// Hears a volume as what it is not.
private struct Deaf: ViewModel {
  var heard = 0

  static func handlers(_ on: inout Handlers<Self>) {
    on.observes("volume", of: Mixer.self) { (deaf, volume: Int) in deaf.heard = volume }
  }
}

/// Hears a count as a number with a fraction, which it fits.
private struct Ear: ViewModel {
  var heard = 0.0

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("heard", \.heard)
    on.observes("count", of: Mixer.self) { (ear, count: Double) in ear.heard = count }
  }
}

/// A value is of one type, whoever writes it, reads it, runs it or hears it.
@Suite struct ValueTypeTests {
  let context: Context
  let mixer, view: Context
  let binding: Binding

  init() throws {
    context = try Context()
    mixer = try context.open(Mixer())
    view = try context.scope("View")
    binding = try view.bind(to: mixer) { _ in }
  }

  private func shown<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws
    -> Value?
  {
    var found: Value?
    _ = try view.bind(to: mixer) { rows in rows.show(name) { (value: Value) in found = value } }
    return found
  }

  /// The call must be refused with this message, and nothing must be sent.
  private func refused(_ message: String, _ call: () throws -> Void) throws {
    let before = try context.stats().events
    let error = #expect(throws: StreamError.self) { try call() }
    #expect(error?.status == .invalid)
    #expect(error?.message == message)
    #expect(try context.stats().events == before)
  }

  @Test func `a whole number becomes what the value is, where that is exact`() throws {
    try binding.set("volume", 1)
    try binding.set("level", 2)
    try binding.set("small", 5)
    try binding.set("count", Int8(9))
    #expect(try shown("volume") == 1.0)
    #expect(try shown("level") == Float(2))
    #expect(try shown("small") == Int32(5))
    #expect(try shown("count") == 9)
    try binding.set("nick", "Jo")
    try binding.set("color", "green")
    #expect(try shown("nick") == String?("Jo"))
    #expect(try shown("color") == Color.green)
    try refused("Mixer.volume is of type Double, and this is Int, which it cannot hold exactly") {
      try binding.set("volume", 1 << 53 + 1)
    }
    try refused("Mixer.level is of type Float, and this is Int, which it cannot hold exactly") {
      try binding.set("level", 1 << 24 + 1)
    }
  }

  @Test func `what a value cannot be is refused, and both types are named`() throws {
    try refused("Mixer.count is of type Int, and this is Double") { try binding.set("count", 2.5) }
    try refused("Mixer.count is of type Int, and this is Bool") { try binding.set("count", true) }
    try refused("Mixer.isOn is of type Bool, and this is Int") { try binding.set("isOn", 1) }
    try refused("Mixer.name is of type String, and this is Int") { try binding.set("name", 1) }
    try refused("Mixer.volume is of type Double, and this is String") {
      try binding.set("volume", "1")
    }
    try refused("Mixer.count is of type Int, and this is SecretText") {
      try binding.set("count", SecretText("1"))
    }
    let error = #expect(throws: StreamError.self) { try binding.set("small", 2.5) }
    #expect(error?.message.hasPrefix("Mixer.small is of type Int32, and this is Double") == true)
    #expect(throws: StreamError.self) { try binding.set("color", "blue") }
    #expect(throws: StreamError.self) { try binding.set("small", 1 << 40) }
    #expect(try shown("small") == Int32(7))
    #expect(try shown("color") == Color.red)
  }

  @Test func `a run has the type of its command`() throws {
    var answer = 0.0
    try binding.run("louder", 1, answer: Double.self) { answer = (try? $0.get()) ?? -1 }
    #expect(answer == 1.5)
    try refused("Mixer.louder is of type Double, and this is String") {
      try binding.run("louder", "1")
    }
    try refused("Mixer.louder needs a value of type Double") { try binding.run("louder") }
    try refused("Mixer.mute is of type nothing, and this is Int") { try binding.run("mute", 1) }
    try refused("Mixer.louder.done is of type Double, and cannot be read as Int") {
      try binding.run("louder", 1, answer: Int.self) { _ in }
    }
  }

  @Test func `a row has the type of its value, or one that holds it`() throws {
    #expect(try shown("count", as: Double.self) == 3)
    #expect(try shown("count", as: Int8.self) == 3)
    #expect(try shown("small", as: Int.self) == 7)
    #expect(try shown("count", as: Int?.self) == 3)
    #expect(try shown("nick", as: String?.self) == .some(nil))
    try refused("Mixer.volume is of type Double, and cannot be read as Int") {
      _ = try shown("volume", as: Int.self)
    }
    try refused("Mixer.volume is of type Double, and cannot be read as Float") {
      _ = try shown("volume", as: Float.self)
    }
    try refused("Mixer.isOn is of type Bool, and cannot be read as Int") {
      _ = try shown("isOn", as: Int.self)
    }
    try refused("Mixer.name is of type String, and cannot be read as Color") {
      _ = try shown("name", as: Color.self)
    }
    let nowhere = try view.bind(to: nil) { rows in rows.show("volume") { (_: Int) in } }
    #expect(throws: StreamError.self) { try nowhere.retarget(to: mixer) }
  }

  @Test func `what is heard has the type of its value, or one that holds it`() throws {
    let error = #expect(throws: StreamError.self) { try context.open(Deaf()) }
    #expect(error?.message == "Mixer.volume is of type Double, and cannot be read as Int")
    let ear = try context.open(Ear())
    var heard: [Double] = []
    let hearing = try view.bind(to: ear) { rows in rows.show("heard") { heard.append($0) } }
    try binding.set("count", 4)
    #expect(heard == [3, 4])
    hearing.end()
  }

  @Test func `what a value cannot hold is a failed call that names both types`() throws {
    var reports: [String] = []
    let watching = try context.observe(FailureReport.self) { report, _ in
      reports.append(report.message)
    }
    let narrow = try view.bind(to: mixer) { rows in rows.show("count") { (_: Int8) in } }
    try binding.set("count", 1000)
    #expect(reports == ["Mixer.count is of type Int, and cannot be read as Int8 exactly"])
    narrow.end()
    watching.cancel()
  }

  @Test func `a factory has the type of what it makes from`() throws {
    try Context().addFactory("Nothing") { _ in }
    let context = try Context()
    var made: [Double] = []
    try context.addFactory("Cell") { (_, size: Double) in made.append(size) }
    _ = try context.open("Cell", 2).get()
    #expect(made == [2])
    #expect(throws: Failure.self) { try context.open("Cell", "2").get() }
    #expect(throws: Failure.self) { try context.open("Cell").get() }
  }
}

/// Bindings by properties.
@Suite struct ModelBindingTests {
  let context: Context
  let mixer, window: Context

  init() throws {
    context = try Context()
    mixer = try context.open(Mixer())
    window = try context.scope("Window")
  }

  @Test func `values go by their properties, commands by their names in the type`() throws {
    var seen: [String] = []
    let view = try window.bind(to: mixer, as: Mixer.self) { rows in
      rows.show(\.volume) { seen.append("\($0)") }
      rows.show(\.color) { seen.append($0.rawValue) }
      rows.enabled(\.mute) { seen.append("mute \($0)") }
      rows.error(\.label) { seen.append("[\($0)]") }
      rows.named.show("twice") { (twice: Double) in seen.append("twice \(twice)") }
    }
    #expect(seen == ["0.5", "red", "mute false", "[]", "twice 1.0"])
    seen = []
    try view.set(\.volume, 1)
    try view.set(\.nick, "Jo")
    try view.set(\.color, .green)
    try view.run(\.louder, 1) { seen.append("\((try? $0.get()) ?? 0)") }
    try view.set(\.isOn, true)
    try view.run(\.mute)
    try view.run(\.label, "left")
    #expect(
      seen == [
        "1.0", "twice 2.0", "green", "2.0", "twice 4.0", "2.0", "mute true", "0.0", "twice 0.0",
      ])
  }

  @Test func `a property that is not shown is refused`() throws {
    let error = #expect(throws: StreamError.self) {
      _ = try window.bind(to: mixer, as: Mixer.self) { rows in
        rows.show(\.volume.description) { _ in }
      }
    }
    #expect(error?.message.hasPrefix("Mixer does not show") == true)
  }

  @Test func `a row's function gets the binding, which is not there yet`() throws {
    var shown: [String] = []
    let view = try window.bind(to: mixer, as: Mixer.self) { rows in
      rows.show(\.name) { view, name in
        shown.append(name)
        if name == "desk" { try view.set(\.count, 8) }
      }
    }
    let plain = try window.bind(to: mixer) { rows in
      rows.show("count") { (binding: Binding, count: Int) in
        shown.append("\(count)")
        if count == 8 { try binding.set("count", 9) }
      }
    }
    #expect(shown == ["desk", "8", "9"])
    view.end()
    plain.end()
  }

  /// Catches: a control that tells in two steps that its text was set, answered for ever.
  @Test func `a two-way row is not answered for ever by a second view`() throws {
    let writer = try window.bind(to: mixer, as: Mixer.self)
    var shown: [String] = []
    let view = try window.bind(to: mixer, as: Mixer.self) { rows in
      rows.twoWay(\.name) { name in
        shown.append(name)
        try writer.set(\.name, "")
        try writer.set(\.name, name)
      }
    }
    try writer.set(\.name, "typed")
    let before = try context.stats().events
    for _ in 0..<100 { try context.drain() }
    #expect(shown == ["typed"])
    #expect(try context.stats().events == before)
    view.end()
  }

  @Test func `a binding that its own row lets go is not called any more`() throws {
    var (view, count) = (ModelBinding<Mixer>?.none, 0)
    view = try window.bind(to: mixer, as: Mixer.self) { rows in
      rows.show(\.volume) { _ in count += 1 }
    }
    try view?.set(\.volume, 2)
    view = nil
    let other = try window.bind(to: mixer, as: Mixer.self)
    try other.set(\.volume, 3)
    #expect(count == 2)
  }
}
