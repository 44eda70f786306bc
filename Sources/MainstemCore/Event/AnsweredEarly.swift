// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a journal says of a request that a callback found answered, although the answer was still waiting to be taken in.
package struct AnsweredEarly {
  /// The position of the callback's event.
  package let event: UInt64
  package let request: UInt64
  /// The last position accepted when the callback found it.
  package let accepted: UInt64

  package init(event: UInt64, request: UInt64, accepted: UInt64) {
    self.event = event
    self.request = request
    self.accepted = accepted
  }
}
