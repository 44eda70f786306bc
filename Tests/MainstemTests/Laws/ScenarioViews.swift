// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// Steps of a scenario about what a program shows: views that are bound.
extension ScenarioStage {
  func runView(_ words: Words) throws {
    let name = words[1]
    guard words[0] != "bind" else { return try bind(words) }
    guard words[0] != "unbind" else { return bindings[name] = nil }
    let binding = try #require(bindings[name])
    switch words[0] {
    case "point": try binding.retarget(to: words.after("of").flatMap { scopes[$0] })
    case "write" where words[3].hasPrefix("\""): try binding.set(words[2], words.payload)
    case "write": try binding.set(words[2], words[3] == "true")
    case "changes":
      try binding.onChanges { [unowned self] names in
        noteCall(([name, "changed"] + names).joined(separator: " "))
      }
    default: try binding.onEnded { [unowned self] in noteCall("\(name) ended") }
    }
  }

  /// What a view may show: of a Cell, and of a Door.
  private static let shownNames =
    ["name", "size", "count", "may", "knock.executing"]
    + ["go", "queue", "latest", "both"].flatMap { command in
      ["enabled", "executing", "error"].map { "\(command).\($0)" }
    }

  private func bind(_ words: Words) throws {
    let name = words[1]
    // Its types are registered.
    _ = try type("Value")
    let tag = ReleaseTag { [unowned self] in note("~\(name)") }
    let show: (String, String) -> Void = { [unowned self] row, text in
      tag.touch()
      noteCall("\(name) \(row) \(text)")
    }
    let shown = Self.shownNames.filter { words.has($0) }
    let owner = words.after("of").flatMap { scopes[$0] }
    let place = try place(words)
    bindings[name] = try tag.taken {
      try place.bind(to: owner) { rows in
        for row in shown {
          if words.after("two-way") != nil {
            rows.twoWay(row) { (text: String) in show(row, "\"\(text)\"") }
          } else if row == "count" {
            rows.show(row) { (count: Int) in show(row, "\(count)") }
          } else if row == "may" || row.hasSuffix(".enabled") || row.hasSuffix(".executing") {
            rows.show(row) { (isOn: Bool) in show(row, "\(isOn)") }
          } else {
            rows.show(row, onHost: words.after("on") != nil) { (text: String) in
              show(row, "\"\(text)\"")
            }
          }
        }
      }
    }
  }
}

/// The last text that a server got: what it shows.
final class ShownText<E: TextEvent> {
  let body: (borrowing Delivery) -> Void
  var text = ""
  var scope: Context?

  init(_ body: @escaping (borrowing Delivery) -> Void) { self.body = body }
}

/// A server that shows it.
struct ShowingServer<E: TextEvent>: Server {
  let shown: ShownText<E>

  static func handlers(_ on: inout Handlers<Self>) {
    on.event(E.self) { server, event, delivery in
      server.shown.text = event.text
      server.shown.body(delivery)
      return []
    }
    on.show { server in
      try server.shown.scope?.set(ScenarioStage.Value(text: server.shown.text))
      return []
    }
  }
}
