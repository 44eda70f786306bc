// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// Proves a recorded session of a host, in Swift: feeds what the views and the provider sent to the app again.
//
//     swift run signin-verify session.journal
//
// The journal has no passwords. Of each it has whether there was one, and nothing else follows from it here.

import Mainstem
import SignIn

@main struct Verify {
  static func main() { verifier("signin-verify JOURNAL", verify: verify) }

  private static func verify(_ journal: String, _ session: UInt64) throws -> ReplayInfo {
    let context = try Context()
    let replay = try context.replay(journal, mode: .verify, session: session)
    try install(in: context)
    let secrets = try standIns(journal)
    try replay.onSecret { secrets[$0.position] }
    do throws(StreamError) {
      try replay.toEnd()
    } catch {
      throw try replay.difference() ?? error
    }
    return try replay.info()
  }

  /// For each secret of a journal, by position, what may stand in for it.
  private static func standIns(_ path: String) throws -> [UInt64: Secret] {
    var found: [UInt64: Secret] = [:]
    let journal = try Journal(path)
    while let event = try journal.next() {
      if event.name == "SignIn.typed" {
        found[event.cause] = .payload(event.payload == [1] ? [42] : [])
      }
    }
    return found
  }
}
