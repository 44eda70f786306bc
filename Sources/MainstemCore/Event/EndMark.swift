// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Stands where a request has its handle, in an event that tells the end of a scope: so a delivery looks no more often
/// than it did. No handle is 1: the process's salt and the generation would have to agree with it.
package enum EndMark {
  package static var reply: UInt64 { 1 }
}
