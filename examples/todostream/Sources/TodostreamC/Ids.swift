// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import CTodostream

/// Unique ids: the context's, which a recorded session repeats.
struct Ids: @unchecked Sendable {
  // Unchecked: they are made only in callbacks of the context, on its thread.
  private let context: OpaquePointer?

  init(_ context: OpaquePointer?) { self.context = context }

  @Sendable func next() -> String {
    var text = [CChar](repeating: 0, count: Int(MAINSTEM_ID_SIZE))
    mainstem_context_id(context, &text)
    return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
