// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemJSON
import Testing

/// Law 12: closed is closed.
extension LawTests {
  @Test func `law 12: close is busy inside a callback and changes nothing`() throws {
    let context = try Context()
    var refused: Status?
    let subscription = try context.observe(Tick.self) { _, _ in
      refused = status { () throws(StreamError) in try context.close() }
    }

    try context.send(Tick(number: 1))
    try context.send(Tick(number: 2))

    #expect(refused == .busy)
    #expect(try context.stats().events == 2)
    subscription.cancel()
  }

  @Test func `law 12: closed is closed, in reverse order, and every handle is stale`() throws {
    let context = try Context()
    let log = Log()
    let kept = Kept()
    try context.install(Keeper(kept: kept))
    let subscriptions = try ["a", "b", "c"].map { name in
      try context.observe(Tick.self) { [tag = Tag(name, log)] _, _ in tag.touch() }
    }
    let poster = try context.poster(for: Tick.self)
    var code: Status?
    try context.request(RequestDouble(number: 1)) { result, _ in code = result.code }

    try context.close()

    #expect(code == .cancelled)
    #expect(log.lines == ["c", "b", "a"])
    #expect(status { () throws(StreamError) in try context.send(Tick(number: 1)) } == .stale)
    #expect(status { () throws(StreamError) in try context.close() } == .stale)
    #expect(status { () throws(StreamError) in try poster.post(Tick(number: 1)) } == .stale)
    let late = status { () throws(StreamError) in
      try kept.replies[0].respond(ResponseDouble(number: 1))
    }
    #expect(late == .stale)
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `law 12: a handle stays stale when its place is used again`() throws {
    let closed = try Context()
    let poster = try closed.poster(for: Tick.self)
    try closed.close()
    let open = try Context()
    var seen = 0
    let subscription = try open.observe { _ in seen += 1 }

    #expect(status { () throws(StreamError) in try poster.post(Tick(number: 1)) } == .stale)
    try open.drain()
    #expect(seen == 0)
    subscription.cancel()
  }

  @Test func `law 12: close delivers what was posted`() throws {
    let context = try Context()
    var seen: [Int] = []
    let subscription = try context.observe(Tick.self) { tick, _ in seen.append(tick.number) }
    let poster = try context.poster(for: Tick.self)
    for number in 1...3 { try poster.post(Tick(number: number)) }

    try context.close()

    #expect(seen == [1, 2, 3])
    subscription.cancel()
  }
}
