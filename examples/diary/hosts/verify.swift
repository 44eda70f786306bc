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
    verifier("diary-verify JOURNAL") { journal, session in
      try Journal.verify(journal, session: session) { try install(in: $0, patience: .seconds(10)) }
    }
  }
}
