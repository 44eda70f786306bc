// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// The same as dashboard_verify.py, in Swift: the same words.
//
//     dashboard-host --record session.journal http://…
//     dashboard-verify session.journal

import Dashboard
import Glibc
import Mainstem

func verify(_ journal: String) throws -> String {
  let info = try Journal.verify(journal) { try install(in: $0, patience: .seconds(10)) }
  let digits = String(info.digest, radix: 16)
  return "\(info.last) events, digest \(String(repeating: "0", count: 16 - digits.count))\(digits)"
}

func end(_ words: String, _ code: Int32) -> Never {
  let line = words + "\n"
  write(STDERR_FILENO, line, line.utf8.count)
  exit(code)
}

guard CommandLine.arguments.count == 2 else { end("usage: dashboard-verify JOURNAL", 2) }
do { print(try verify(CommandLine.arguments[1])) } catch { end("\(error)", 1) }
