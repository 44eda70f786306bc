// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// A program that verifies sessions, but for the app: a file to link to. The programs in Python say the same words.

import Glibc
import Mainstem

/// Runs a program that verifies sessions, to its end.
///
/// - Parameters:
///   - usage: How it is called.
///   - words: What it was called with; one word is right, the path of a journal.
///   - verify: Verifies a journal.
func verifier(
  _ usage: String, _ words: some Collection<String> = CommandLine.arguments.dropFirst(),
  verify: (_ journal: String) throws -> ReplayInfo
) -> Never {
  guard let journal = words.first, words.count == 1 else { end("usage: \(usage)", 2) }
  do {
    let info = try verify(journal)
    let digits = String(info.digest, radix: 16)
    let digest = String(repeating: "0", count: 16 - digits.count) + digits
    guard say("\(info.last) events, digest \(digest)", to: STDOUT_FILENO) else {
      end("standard output: \(String(cString: strerror(errno)))", 1)
    }
    exit(0)
  } catch { end("\(error)", 1) }
}

private func say(_ words: String, to file: Int32) -> Bool {
  let line = words + "\n"
  return write(file, line, line.utf8.count) == line.utf8.count
}

private func end(_ words: String, _ code: Int32) -> Never {
  _ = say(words, to: STDERR_FILENO)
  exit(code)
}
