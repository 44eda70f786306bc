// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// The reply to a request that waits for a todo's row, whatever its type.
protocol RowReply {
  func respond(_ answer: ResponseTodoViewModel) throws(StreamError)
  func fail(_ failure: Failure) throws(StreamError)
}

extension Reply: RowReply where R: RowRequest {}
