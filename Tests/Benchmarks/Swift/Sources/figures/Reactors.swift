// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemSignals

/// A reactor: an action, a mutation, a state, and a view of one value. Beside a view model that does the same by a
/// command.
func reacted() throws -> [Contestant] {
  let group = "reactor"
  let context = try Context()
  let counter = try counted(context, try context.open(Counter()))
  let summed = try counted(context, try context.open(Summed()))
  let plain = try counted(context, try context.open(PlainCounter()))
  func run(_ binding: Binding) -> (Int) throws -> Void {
    { times in
      try withExtendedLifetime(context) {
        for _ in 0..<times { try binding.run("up") }
      }
    }
  }
  return [
    Contestant(group: group, name: "Mainstem", run: run(counter)),
    Contestant(group: group, name: "mutations as JSON", run: run(summed)),
    Contestant(group: group, name: "view model", run: run(plain)),
  ]
}

private func counted(_ context: Context, _ scope: Context) throws -> Binding {
  try context.bind(to: scope) { rows in rows.show("count") { (count: Int) in seen &+= count } }
}

private struct Counter: Reactor {
  enum Action { case up }
  struct State: Codable { var count = 0 }
  var state = State()

  func mutate(_ action: Action) -> Signal<Int, Failure> { .just(1) }
  static func reduce(_ state: inout State, _ by: Int) { state.count &+= by }
  static func shown(_ on: inout Shown<Self>) {
    on.shows("count", \.count)
    on.action("up", .up)
  }
}

private struct Summed: Reactor {
  enum Action { case up }
  enum Mutation: Codable { case add(by: Int) }
  struct State: Codable { var count = 0 }
  var state = State()

  func mutate(_ action: Action) -> Signal<Mutation, Failure> { .just(.add(by: 1)) }
  static func reduce(_ state: inout State, _ mutation: Mutation) {
    switch mutation {
    case .add(let by): state.count &+= by
    }
  }
  static func shown(_ on: inout Shown<Self>) {
    on.shows("count", \.count)
    on.action("up", .up)
  }
}

private struct PlainCounter: ViewModel {
  var count = 0

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("count", \.count)
    on.command("up") { $0.count &+= 1 }
  }
}
