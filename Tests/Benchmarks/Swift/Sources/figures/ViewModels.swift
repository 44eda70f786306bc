// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Observation
import Synchronization

/// A view model of five values: one is written, and each time another one changes, which has an observer. Beside
/// Observation, which tells that something is about to change, once: then the observer looks, and waits for the next
/// change.
func viewed() throws -> [Contestant] {
  let group = "view model"
  let context = try Context()
  let opened = try context.open(Lookup())
  let binding = try context.bind(to: opened) { rows in
    rows.show("isUsernameValid") { (isValid: Bool) in seen &+= isValid ? 1 : 2 }
  }
  let lookup = ObservedLookup()
  let observer = Tracker { lookup.isUsernameValid }
  return [
    Contestant(group: group, name: "Mainstem") { times in
      try withExtendedLifetime((context, opened)) {
        for index in 0..<times { try binding.set("username", names[index & 1]) }
      }
    },
    Contestant(group: group, name: "Observation") { times in
      for index in 0..<times {
        lookup.username = names[index & 1]
        observer.look()
      }
    },
  ]
}

/// A filter over 10,000 rows: each keystroke finds the same rows.
func filtered() throws -> [Contestant] {
  let group = "filter, a keystroke"
  let context = try Context()
  let opened = try context.open(Rows())
  let binding = try context.bind(to: opened) { rows in
    rows.show("found") { (found: [String]) in seen &+= found.count }
  }
  let rows = ObservedRows()
  let observer = Tracker { rows.found }
  return [
    Contestant(group: group, name: "Mainstem") { times in
      try withExtendedLifetime((context, opened)) {
        for index in 0..<times { try binding.set("prefix", prefixes[index & 1]) }
      }
    },
    Contestant(group: group, name: "Observation") { times in
      for index in 0..<times {
        rows.prefix = prefixes[index & 1]
        observer.look()
      }
    },
    Contestant(group: group, name: "search alone") { times in
      for index in 0..<times { seen &+= search(prefixes[index & 1]).count }
    },
  ]
}

/// Written in turn: one is valid, one is not. The rows have both prefixes.
private let names = ["jack", "ab"]
private let prefixes = ["na", "nam"]
private let people = (0..<10_000).map { $0 % 2 == 0 ? "name\($0)" : "other\($0)" }

private func search(_ prefix: String) -> [String] { people.filter { $0.hasPrefix(prefix) } }

struct Lookup: ViewModel {
  var username = ""
  var user = ""
  var tweets: [String] = []
  var isLast = false
  var isUsernameValid: Bool { 3...15 ~= username.count }

  static func handlers(_ on: inout Handlers<Self>) {
    on.writable("username", \.username)
    on.shows("user", \.user)
    on.shows("tweets", \.tweets)
    on.shows("isLast", \.isLast)
    on.shows("isUsernameValid", \.isUsernameValid)
  }
}

struct Rows: ViewModel {
  var prefix = "n"

  static func handlers(_ on: inout Handlers<Self>) {
    on.writable("prefix", \.prefix)
    on.shows("found", of: \.prefix) { search($0.prefix) }
  }
}

@Observable private final class ObservedLookup {
  var username = ""
  var user = ""
  var tweets: [String] = []
  var isLast = false
  var isUsernameValid: Bool { 3...15 ~= username.count }
}

@Observable private final class ObservedRows {
  var prefix = "n"
  var found: [String] { search(prefix) }
}

/// Looks at something again after each change of what it is made of.
private final class Tracker<Value: Equatable> {
  private let value: () -> Value
  private var last: Value?
  private let changed = Flag()

  init(_ value: @escaping () -> Value) {
    self.value = value
    look()
  }

  func look() {
    guard changed.isSet.load(ordering: .relaxed) else { return }
    let changed = changed
    changed.isSet.store(false, ordering: .relaxed)
    let now = withObservationTracking(value) { changed.isSet.store(true, ordering: .relaxed) }
    guard now != last else { return }
    last = now
    seen &+= 1
  }
}

private final class Flag: Sendable {
  let isSet = Atomic<Bool>(true)
}
