// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a guard says about a URL before it is opened or closed. What it throws refuses, too.
public enum Verdict: Hashable, Sendable {
  /// The move goes on.
  case allow
  /// Another URL is opened instead.
  case redirect(String)
  /// Another URL is opened first; when that has finished, the guards are asked again.
  case openFirst(String)
  /// The move is answered ``Status/denied`` with this message.
  case refuse(String)

  /// Answers a guard's request.
  static func answer(_ event: UnsafePointer<mainstem_event>, _ body: () throws -> Verdict) {
    do {
      let status =
        switch try body() {
        case .allow: mainstem_guard_answer(event, UInt32(MAINSTEM_GUARD_ALLOW), nil)
        case .redirect(let url): mainstem_guard_answer(event, UInt32(MAINSTEM_GUARD_REDIRECT), url)
        case .openFirst(let url):
          mainstem_guard_answer(event, UInt32(MAINSTEM_GUARD_OPEN_FIRST), url)
        case .refuse(let message): Failure(message, code: .denied).answer(event)
        }
      // STALE: another one has answered first, and that counts.
      if status != Status.stale.rawValue { try StreamError.check(status) }
    } catch {
      _ = Failure(error).answer(event)
    }
  }
}
