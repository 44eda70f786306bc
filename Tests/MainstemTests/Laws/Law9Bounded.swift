// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// Law 9: bounded.
extension LawTests {
  private func status(_ call: () throws -> Void) -> Status {
    do { try call() } catch { return (error as? StreamError)?.status ?? .incomplete }
    return .ok
  }

  @Test func `law 9: rights only narrow`() throws {
    let context = try Context()
    let view = try context.scope("View", rights: Rights(sends: [.view]))
    let child = try view.scope("Child", rights: Rights(sends: [.view, .app]))

    #expect(status { try view.send(Tick(number: 1)) } == .denied)
    #expect(status { try child.send(Tick(number: 1)) } == .denied)
    #expect(try context.stats().denied == 2)
  }
}
