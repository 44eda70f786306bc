// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// The same as diary_verify.py, in Swift: the same words.
//
//     diary --record session.journal
//     diary-verify session.journal

import DiaryApp
import Mainstem

@main struct Verify {
  static func main() {
    let words = CommandLine.arguments.dropFirst(), journals = words.filter { $0 != "--muted" }
    let isMuted = journals.count < words.count
    verifier("diary-verify [--muted] JOURNAL", journals) { journal, session in
      guard isMuted else {
        return try Journal.verify(journal, session: session) {
          try install(in: $0, patience: .seconds(10))
        }
      }
      let context = try Context()
      let replay = try context.replay(journal, mode: .muted, session: session)
      try install(in: context, patience: .seconds(10))
      try replay.toEnd()
      return try replay.info()
    }
  }
}
