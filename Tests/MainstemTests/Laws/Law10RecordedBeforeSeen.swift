// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// Law 10: recorded before seen.
extension LawTests {
  /// The last position that a journal has.
  private static func last(in path: String) -> UInt64 {
    guard let journal = try? Journal(path) else { return 0 }
    var last: UInt64 = 0
    while let event = try? journal.next() { last = event.position }
    return last
  }

  @Test(arguments: [false, true])
  func `law 10: an observer finds its own event`(deliverOnHost: Bool) throws {
    let folder = Folder()
    let path = folder.file("journal")
    let context = try Context(ContextOptions(deliverOnHost: deliverOnHost))
    try context.record(to: path)
    var found: [Bool] = []
    let observing = try context.observe(Tick.self) { tick, delivery in
      found.append(LawTests.last(in: path) >= delivery.position)
      if tick.number < 3 { try context.send(Tick(number: tick.number + 1)) }
    }

    try context.send(Tick(number: 1))
    try context.send(contentsOf: [Tick(number: 3), Tick(number: 4)])
    try context.flush()

    #expect(found == [true, true, true, true, true])
    observing.cancel()
  }

  @Test func `law 10: positions have no holes, also where a journal goes on`() throws {
    let folder = Folder()
    let path = folder.file("journal")
    for _ in 1...3 {
      let context = try Context()
      try context.record(to: path)
      let observing = try context.observe(Tick.self) { tick, _ in
        if tick.number < 4 { try context.send(Tick(number: tick.number + 1)) }
      }
      try context.send(Tick(number: 1))
      observing.cancel()
      try context.close()
    }

    let journal = try Journal(path)
    var positions: [UInt64] = []
    while let event = try journal.next() { positions.append(event.position) }
    #expect(positions == Array(1...12))
    #expect(try journal.info().isClean)
  }
}
