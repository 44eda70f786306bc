// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import CTodostream
import TodoModel

/// The time: the host's clock where it gave one, else the context's, which a recorded session repeats.
struct Clock: @unchecked Sendable {
  // Unchecked: it is read in callbacks of the context only, on its thread, and so is the host's clock.
  private let context: OpaquePointer?
  private let host: (@convention(c) (UnsafeMutableRawPointer?) -> Int64)?
  private let userData: UnsafeMutableRawPointer?

  init(_ context: OpaquePointer?, _ options: todostream_options) {
    self.context = context
    host = options.now
    userData = options.user_data
  }

  @Sendable func now() -> Moment {
    if let host { return Moment(microseconds: host(userData)) }
    var nanoseconds: Int64 = 0
    mainstem_context_now(context, &nanoseconds)
    return Moment(microseconds: nanoseconds / 1000)
  }
}
