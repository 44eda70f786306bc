// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Stands where a request has its handle, in what a stage draws of a muted replay: the session has answered it, so its
/// answer is left out while the replay is open, and comes too late then. No handle is 2, as none is `EndMark`.
package enum DrawnMark {
  package static var reply: UInt64 { 2 }
}
