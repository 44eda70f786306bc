// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// One way to do what a group measures: does it a number of times.
struct Contestant {
  let group: String
  let name: String
  let run: (Int) throws -> Void
}

/// What every observer does: it adds, so that nothing is optimized away.
nonisolated(unsafe) var seen = 0
