// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// The same as verify.py, in Swift: the same words. The store's server is left out: its answers are in the journal.
//
//     todo --record session.journal
//     verify session.journal

import Mainstem
import TodoServers

@main struct Verify {
  static func main() {
    let words = CommandLine.arguments.dropFirst(), journals = words.filter { $0 != "--muted" }
    let mode: ReplayMode = journals.count < words.count ? .muted : .verify
    verifier("verify [--muted] JOURNAL", journals) {
      try verify($0, $1, mode)
    }
  }

  /// Feeds a journal to the servers and returns the result.
  private static func verify(
    _ journal: String, _ session: UInt64, _ mode: ReplayMode
  ) throws -> ReplayInfo {
    let context = try Context()
    let replay = try context.replay(journal, mode: mode, session: session)
    try context.open(ViewModelServer(in: context))
    do throws(StreamError) {
      try replay.toEnd()
    } catch {
      throw try replay.difference() ?? error
    }
    return try replay.info()
  }
}
