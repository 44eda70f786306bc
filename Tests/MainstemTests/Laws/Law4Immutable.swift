// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemJSON
import Testing

/// Law 4: immutable.
extension LawTests {
  @Test func `law 4: what waits is a copy, and what is kept stays as it was`() throws {
    let context = try Context()
    let kept = Kept()
    try context.install(Keeper(kept: kept))
    var seen: [String] = []
    let texts = (0..<200).map { String(repeating: "\($0) ", count: 50) }
    let sender = try context.observe(Tick.self) { _, _ in
      for text in texts { try context.send(Tock(text: text)) }
    }
    let reader = try context.observe(Tock.self) { tock, _ in seen.append(tock.text) }
    var answer: Result<ResponseDouble, Failure>?
    try context.request(RequestDouble(number: 21)) { result, _ in answer = result }

    try context.send(Tick(number: 1))
    try kept.replies[0].respond(ResponseDouble(number: 42))

    #expect(seen == texts)
    #expect(answer == .success(ResponseDouble(number: 42)))
    sender.cancel()
    reader.cancel()
  }
}
