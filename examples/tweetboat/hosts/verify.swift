// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// The same as boat_verify.py, in Swift: the same words.
//
//     boat --record session.journal http://…
//     boat-verify session.journal

import Mainstem
import Tweetboat

@main struct Verify {
  static func main() {
    verifier("boat-verify JOURNAL") { journal, session in
      try Journal.verify(journal, session: session) {
        try install(in: $0, patience: .seconds(10))
        try addPictures(to: $0)
      }
    }
  }
}
