// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// A request that waits for the row of a todo, whichever it was.
protocol RowReply {
  func respond(_ answer: ResponseTodoViewModel) throws(StreamError)
  func fail(_ failure: Failure) throws(StreamError)
}

extension Reply: RowReply where R: RowRequest {}
