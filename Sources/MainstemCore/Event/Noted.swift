// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a journal says besides events, so that a replay knows it: one of these.
package enum Noted {
  case ended(Ended)
  case answered(AnsweredEarly)
}
