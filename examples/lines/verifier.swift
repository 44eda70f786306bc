// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// A program that verifies sessions, but for the app: a file to link to. The programs in Python say the same words.

import Glibc
import Mainstem

/// Runs a program that verifies sessions, to its end.
///
/// - Parameters:
///   - usage: How it is called, but for the options of all such programs.
///   - words: What it was called with: the path of a journal; `--session N` and `--all` say which sessions, else it is the
///     newest.
///   - verify: Verifies a session of a journal, from 1.
func verifier(
  _ usage: String, _ words: some Collection<String> = CommandLine.arguments.dropFirst(),
  verify: (_ journal: String, _ session: UInt64) throws -> ReplayInfo
) -> Never {
  guard let chosen = Chosen(Array(words)) else {
    end("usage: \(usage) [--session N | --all]", 2)
  }
  do {
    let sessions = try sessions(of: chosen.journal)
    let newest = chosen.session ?? sessions.count
    guard 0 < newest, newest <= sessions.count else {
      end("\(chosen.journal) has \(sessions.count) sessions", 1)
    }
    for (index, (first, last)) in sessions.enumerated() {
      let number = index + 1
      var name = ""
      if sessions.count > 1 {
        name = "session \(number) of \(sessions.count), positions \(first) to \(last): "
      }
      guard chosen.isAll || number == newest else {
        print("\(name)not proven: --session \(number) does, or --all")
        continue
      }
      do {
        print(name + said(try verify(chosen.journal, UInt64(number))))
      } catch { end("\(name)\(error)", 1) }
    }
    exit(0)
  } catch { end("\(error)", 1) }
}

/// What such a program was called with.
private struct Chosen {
  var journal = ""
  var session: Int?
  var isAll = false

  /// Nil: not so.
  init?(_ words: [String]) {
    var left = words[...]
    while let word = left.popFirst() {
      switch word {
      case "--all" where session == nil: isAll = true
      case "--session" where !isAll:
        guard let number = left.popFirst().flatMap({ Int($0) }) else { return nil }
        session = number
      default:
        guard journal.isEmpty, !word.hasPrefix("-") else { return nil }
        journal = word
      }
    }
    guard !journal.isEmpty else { return nil }
  }
}

/// The first and the last position of each session of a journal.
private func sessions(of journal: String) throws -> [(UInt64, UInt64)] {
  var found: [(UInt64, UInt64)] = []
  while true {
    let context = try Context()
    defer { try? context.close() }
    do throws(StreamError) {
      let session = UInt64(found.count + 1)
      let info = try context.replay(journal, mode: .muted, session: session).info()
      found.append((info.first, info.last))
    } catch {
      guard error.status == .invalid, !found.isEmpty else { throw error }
      return found
    }
  }
}

/// What a replay has proven.
private func said(_ info: ReplayInfo) -> String {
  let digits = String(info.digest, radix: 16)
  let digest = String(repeating: "0", count: 16 - digits.count) + digits
  // If there are none, the last is before the first.
  return "\(info.last + 1 - info.first) events, digest \(digest)"
}

private func print(_ words: String) {
  guard say(words, to: STDOUT_FILENO) else {
    end("standard output: \(String(cString: strerror(errno)))", 1)
  }
}

private func say(_ words: String, to file: Int32) -> Bool {
  let line = words + "\n"
  return write(file, line, line.utf8.count) == line.utf8.count
}

private func end(_ words: String, _ code: Int32) -> Never {
  _ = say(words, to: STDERR_FILENO)
  exit(code)
}
