// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Draws a number that looks random, but is the same in every run with the same ``ContextOptions/seed``
  /// and inputs. Not for secrets.
  ///
  /// - Returns: The number. Inside a callback, what others draw does not change it.
  /// - Throws: ``Status/stale`` when the context is closed.
  public func random() throws(StreamError) -> UInt64 {
    var number: UInt64 = 0
    try StreamError.check(mainstem_context_random(handle, &number))
    return number
  }

  /// Makes an id, as text in the form of a version 4 UUID, from two numbers of ``random()``. It looks unique,
  /// but is the same in every run with the same seed and inputs.
  ///
  /// - Returns: 36 characters.
  /// - Throws: ``Status/stale`` when the context is closed.
  public func id() throws(StreamError) -> String {
    var text = [CChar](repeating: 0, count: Int(MAINSTEM_ID_SIZE))
    try StreamError.check(mainstem_context_id(handle, &text))
    return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
