// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import CTodostream
import TodoModel

/// The time: the host's clock if it gave one, otherwise the context's, which a recorded session repeats.
struct Clock: @unchecked Sendable {
  // Unchecked: it and the host's clock are read only in callbacks of the context, on its thread.
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
