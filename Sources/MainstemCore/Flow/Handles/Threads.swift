// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The threads that may use a stream.
package enum Threads {
  /// The one that creates it.
  case one
  /// Any.
  case any
  /// Any, and the host sees to it that there is one at a time.
  case guarded
}
