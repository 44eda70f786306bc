// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import CTodostream
import Glibc
import TodoModel

/// The time: the host's clock where it gave one, else the system's.
struct Clock: @unchecked Sendable {
  // Unchecked: the host says that its clock may be read on the context's thread.
  private let host: (@convention(c) (UnsafeMutableRawPointer?) -> Int64)?
  private let userData: UnsafeMutableRawPointer?

  init(_ options: todostream_options) {
    host = options.now
    userData = options.user_data
  }

  @Sendable func now() -> Moment {
    if let host { return Moment(microseconds: host(userData)) }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Moment(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}
