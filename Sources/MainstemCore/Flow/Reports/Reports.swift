// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a stream tells about itself: the event types of the core's own reports, JSON notices of the layer system, and
/// the first failed call. Under the lock.
package struct Reports {
  /// Of every context: any thread reads them without the lock.
  package var own = OwnReports()
  /// 0 until a context is recorded that goes on when recording fails.
  package var journal: UInt32 = 0
  /// That a scope has ended; 0 until such an end is told.
  var ended: UInt32 = 0
  /// Whether the activity of every request type is reported, including types to come.
  package var tellActivity = false
  var firstError = FirstError()

  package init() {}

  /// Forgets what one context told.
  package mutating func clear() {
    tellActivity = false
    ended = 0
    firstError.message?.free()
    firstError = FirstError()
  }

  package func contain(_ type: UInt32) -> Bool {
    own.tellOfCallbacks(type) || type == own.activity || type == journal || type == ended
  }

  static var contract: UInt64 {
    Contract.Payload.json.rawValue << 32 | Contract.Role.notice.rawValue << 36 | 5 << 40
  }
}

/// The types that are registered when a context is opened, and never change.
package struct OwnReports {
  package var failure: UInt32 = 0
  package var denied: UInt32 = 0
  package var limit: UInt32 = 0
  package var activity: UInt32 = 0

  /// Whether a report is about something that went wrong in a callback.
  func tellOfCallbacks(_ type: UInt32) -> Bool {
    type == failure || type == denied || type == limit
  }

  /// Whether a report is an input when recorded: it counts what callbacks do that no replay calls again.
  func isInput(_ type: UInt32) -> Bool { type == denied || type == limit }
}

/// The first failed call, kept for `first_error`.
struct FirstError {
  private(set) var status: Int32 = 0
  private(set) var message: Name?

  mutating func note(_ status: Int32, _ message: Bytes) {
    guard self.status == 0 else { return }
    self.status = status
    self.message = Name(copying: message)
  }
}
