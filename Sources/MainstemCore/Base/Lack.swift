// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a refused call lacked and the program cannot know: how much was waiting, how much memory and disk was left. The
/// numbers are part of the journal format: docs/journal-format.md, "refused".
package enum Lack: UInt32, Sendable {
  /// Room in the stream, or in the inbox.
  case room = 1
  /// Room in the queue of a scheduled observer.
  case queue = 2
  /// Room for a step of progress.
  case steps = 3
  case memory = 4
  /// The ability to record.
  case journal = 5
  /// Causes that an event may still have.
  case causes = 6
  /// Observers that a scope may still have.
  case observers = 7
  case handles = 8
  /// A shared request that still waits for its answer, in a context that is still open.
  case openRequest = 9

  /// The status that the call returns.
  package var status: Status {
    switch self {
    case .room, .queue, .steps: .full
    case .memory: .noMemory
    case .journal: .io
    case .causes, .observers, .handles: .limit
    case .openRequest: .stale
    }
  }

  /// What a refused call lacked, according to its message; nil: it was refused for another reason.
  package init?(_ refusal: Refusal) {
    switch refusal.status {
    case .noSpace, .poisoned, .io: self = .journal
    case .full, .limit, .noMemory:
      var number: UInt32 = 1
      while let lack = Lack(rawValue: number) {
        let same = Refusal.lacking(lack)
        if same.status == refusal.status, same.reason.bytes == refusal.reason.bytes {
          self = lack
          return
        }
        number &+= 1
      }
      return nil
    default: return nil
    }
  }

  /// Whether the caller knows more about it than the number says: whose limit it is.
  package var isOfCaller: Bool { self == .causes || self == .observers }
}

extension Refusal {
  /// Refuses a call for lack of something.
  package static func lacking(_ lack: Lack) -> Refusal {
    let (argument, reason): (Phrase, Phrase) =
      switch lack {
      case .room: ("context", "its queue is full: drain it, or raise its limits")
      case .queue:
        ("", "the queue of a scheduled observer is full: drain it, or give it another policy")
      case .steps: ("event", "has 1,024 steps of progress waiting: report fewer")
      case .memory: ("", "out of memory")
      case .journal: ("context", "has stopped: it can no longer record what it accepts")
      case .causes: ("context", "is at its limit of causes")
      case .observers: ("context", "its budget is used up; cancel one, or raise it")
      case .handles: ("", "out of handles")
      case .openRequest: ("event", "is already answered: a request gets one answer")
      }
    return Refusal(lack.status, argument, reason)
  }

  package static var noMemory: Refusal { lacking(.memory) }

  /// Refuses an event that could not be recorded.
  package static func unrecorded(_ status: Int32) -> Refusal {
    switch Status(rawValue: status) {
    case .noSpace:
      Refusal(.noSpace, "context", "is recorded, and there is no room left for its journal")
    case .poisoned:
      Refusal(.poisoned, "context", "has stopped: what was recorded may not have reached the disk")
    case .corrupt:
      Refusal(
        .corrupt, "context", "has stopped: another program has changed or removed its journal")
    case .noMemory: .noMemory
    default: .lacking(.journal)
    }
  }
}
