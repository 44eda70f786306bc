// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// The laws, a file each, and what their tests share.
@Suite("Laws of the stream") struct LawTests {
  struct Tick: Notice { var number: Int }
  struct Tock: Notice { var text: String }
  struct ResponseDouble: Response { var number: Int }
  struct RequestDouble: Request {
    typealias Answer = ResponseDouble
    var number: Int
  }
}

func status(_ body: () throws(StreamError) -> Void) -> Status {
  do { try body() } catch { return error.status }
  return .ok
}

extension Result where Failure == Mainstem.Failure {
  var code: Status {
    if case .failure(let failure) = self { failure.code } else { .ok }
  }
}
