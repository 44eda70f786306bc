// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// Proves a recorded session of a host, in Swift: feeds what the views and the provider sent to the app again.
//
//     swift run signin-verify session.journal
//
// The journal has no passwords. Of each it has whether there was one, and nothing else follows from it here.

import Glibc
import Mainstem
import SignIn

/// For each secret of a journal, by position, what may stand in for it.
func standIns(_ path: String) throws -> [UInt64: Secret] {
  var found: [UInt64: Secret] = [:]
  let journal = try Journal(path)
  while let event = try journal.next() {
    if event.name == "SignIn.typed" {
      found[event.cause] = .payload(event.payload == [1] ? [42] : [])
    }
  }
  return found
}

func verify(_ journal: String) throws -> String {
  let context = try Context()
  let replay = try context.replay(journal, mode: .verify)
  try install(in: context)
  let secrets = try standIns(journal)
  try replay.onSecret { secrets[$0.position] }
  do throws(StreamError) {
    try replay.toEnd()
  } catch {
    throw try replay.difference() ?? error
  }
  let info = try replay.info()
  let digits = String(info.digest, radix: 16)
  return "\(info.last) events, digest \(String(repeating: "0", count: 16 - digits.count))\(digits)"
}

func end(_ words: String, _ code: Int32) -> Never {
  let line = words + "\n"
  write(STDERR_FILENO, line, line.utf8.count)
  exit(code)
}

guard CommandLine.arguments.count == 2 else { end("usage: signin-verify JOURNAL", 2) }
do { print(try verify(CommandLine.arguments[1])) } catch { end("\(error)", 1) }
