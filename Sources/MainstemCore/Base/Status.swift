// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The result of a call; the numbers are those of the C header.
package enum Status: Int32, Sendable {
  case ok = 0
  case invalid = 1
  case stale = 2
  case wrongKind = 3
  case wrongThread = 4
  case busy = 5
  case denied = 6
  case tooBig = 7
  case full = 8
  case limit = 9
  case noMemory = 10
  case unhandled = 11
  case timeout = 12
  case cancelled = 13
  case interrupted = 14
  case withheld = 15
  case forked = 16
  case unsupported = 17
  case incomplete = 18
  case io = 19
  case noSpace = 20
  case locked = 21
  case corrupt = 22
  case poisoned = 23
  case version = 24
  case different = 25
  case unset = 26
  case disabled = 27
  case executing = 28
  case badURL = 29
  case noRoute = 30
}

extension Status {
  /// Whether it is what a call was asked to find out, and no failure: that a wait ended without an event, that a value
  /// is unset, that a command does not run now, or that no route matches.
  package var isAnAnswer: Bool {
    switch self {
    case .timeout, .interrupted, .unset, .disabled, .executing, .noRoute: true
    default: false
    }
  }

  /// The first of the app's own codes.
  package static var firstOfApp: Int32 { 1000 }

  /// The name in the header, without its prefix.
  package var name: Phrase {
    switch self {
    case .ok: "OK"
    case .invalid: "INVALID"
    case .stale: "STALE"
    case .wrongKind: "WRONG_KIND"
    case .wrongThread: "WRONG_THREAD"
    case .busy: "BUSY"
    case .denied: "DENIED"
    case .tooBig: "TOO_BIG"
    case .full: "FULL"
    case .limit: "LIMIT"
    case .noMemory: "NO_MEMORY"
    case .unhandled: "UNHANDLED"
    case .timeout: "TIMEOUT"
    case .cancelled: "CANCELLED"
    case .interrupted: "INTERRUPTED"
    case .withheld: "WITHHELD"
    case .forked: "FORKED"
    case .unsupported: "UNSUPPORTED"
    case .incomplete: "INCOMPLETE"
    case .io: "IO"
    case .noSpace: "NO_SPACE"
    case .locked: "LOCKED"
    case .corrupt: "CORRUPT"
    case .poisoned: "POISONED"
    case .version: "VERSION"
    case .different: "DIFFERENT"
    case .unset: "UNSET"
    case .disabled: "DISABLED"
    case .executing: "EXECUTING"
    case .badURL: "BAD_URL"
    case .noRoute: "NO_ROUTE"
    }
  }
}
