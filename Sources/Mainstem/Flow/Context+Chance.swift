// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// A number that looks random, and is the same in every run of the same ``ContextOptions/seed`` that
  /// is fed the same. Not for secrets.
  ///
  /// - Returns: The number; inside a callback one of its own, whatever others draw.
  /// - Throws: ``Status/stale`` when the context is closed.
  public func random() throws(StreamError) -> UInt64 {
    var number: UInt64 = 0
    try StreamError.check(mainstem_context_random(handle, &number))
    return number
  }

  /// An id as text, in the form of a UUID, made of two such numbers.
  ///
  /// - Returns: 36 characters.
  /// - Throws: ``Status/stale`` when the context is closed.
  public func id() throws(StreamError) -> String {
    var text = [CChar](repeating: 0, count: Int(MAINSTEM_ID_SIZE))
    try StreamError.check(mainstem_context_id(handle, &text))
    return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
