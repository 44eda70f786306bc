// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// The same as diary_verify.py, in Swift: the same words.
//
//     diary --record session.journal
//     diary-verify session.journal

import DiaryApp
import Mainstem

let info = try Journal.verify(CommandLine.arguments[1]) {
  try install(in: $0, patience: .seconds(10))
}
let digits = String(info.digest, radix: 16)
print("\(info.last) events, digest \(String(repeating: "0", count: 16 - digits.count))\(digits)")
