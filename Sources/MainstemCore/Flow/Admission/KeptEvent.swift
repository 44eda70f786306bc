// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An event with the memory that was kept for it.
package struct KeptEvent {
  let draft: Draft
  let queued: QueuedEvent.Pointer

  package init(_ draft: Draft, in queued: QueuedEvent.Pointer) {
    self.draft = draft
    self.queued = queued
  }
}
