// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// The same as verify.py, in Swift: the same words. The store's server is left out: its answers are in the journal.
//
//     todo --record session.journal
//     verify session.journal

import Glibc
import Mainstem
import TodoServers

/// Feeds a journal to the servers and returns the result.
func verify(_ journal: String, _ mode: ReplayMode) throws -> String {
  let context = try Context()
  let replay = try context.replay(journal, mode: mode)
  try context.open(ViewModelServer(in: context))
  do throws(StreamError) {
    try replay.toEnd()
  } catch {
    throw try replay.difference() ?? error
  }
  let info = try replay.info()
  let digits = String(info.digest, radix: 16)
  let digest = String(repeating: "0", count: 16 - digits.count) + digits
  return "\(info.last) events, digest \(digest)"
}

func end(_ words: String, _ code: Int32) -> Never {
  let line = words + "\n"
  write(STDERR_FILENO, line, line.utf8.count)
  exit(code)
}

var arguments = Array(CommandLine.arguments.dropFirst())
let isMuted = arguments.first == "--muted"
if isMuted { arguments.removeFirst() }
guard arguments.count == 1 else { end("usage: verify [--muted] JOURNAL", 2) }
do { print(try verify(arguments[0], isMuted ? .muted : .verify)) } catch { end("\(error)", 1) }
