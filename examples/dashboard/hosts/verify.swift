// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// The same as dashboard_verify.py, in Swift: the same words.
//
//     dashboard-host --record session.journal http://…
//     dashboard-verify session.journal

import Dashboard
import Mainstem

@main struct Verify {
  static func main() {
    verifier("dashboard-verify JOURNAL") { journal, session in
      try Journal.verify(journal, session: session) { try install(in: $0, patience: .seconds(10)) }
    }
  }
}
