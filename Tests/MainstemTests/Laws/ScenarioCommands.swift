// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// Steps of a scenario about what a program can be told to do: a model with commands, and their runs.
extension ScenarioStage {
  func runCommand(_ words: Words) throws -> String {
    let name = words[1]
    switch words[0] {
    case "model":
      // What it asks is registered.
      _ = try type("RequestAsk")
      scopes[name] = try place(words).open(Door())
    case "run":
      let binding = try #require(bindings[words[2]])
      let value: (any Encodable)? = words[3] == "knock" ? nil : words.payload
      pendings[name] = try binding.run(words[3], value) { [unowned self] result in
        outcomes[name] =
          switch result {
          case .success: "done"
          case .failure(let failure): "\(failure.code)"
          }
      }
    default: return outcomes[name] ?? "waits"
    }
    return "OK"
  }
}

/// A model: each of its commands but `knock` asks, and is done when it has the answer.
private struct Door: ViewModel {
  var count = 0
  var may = true

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("count", \.count)
    on.writable("may", \.may)
    on.command("knock") { $0.count += 1 }
    for (name, policy) in [
      ("go", CommandPolicy.refuse), ("queue", .queue), ("latest", .latest), ("both", .concurrent),
    ] {
      on.command(name, with: String.self, enabled: \.may, policy: policy) { _, text, run in
        run.ask(ScenarioStage.RequestAsk(text: text)) { _, _ in }
      }
    }
  }
}
