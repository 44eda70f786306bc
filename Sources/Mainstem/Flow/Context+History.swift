// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Keeps a history for late observers: from now on, the last events of a type.
  ///
  /// An observer registered later gets these events first, flagged ``Delivery/isLate``, then the stream.
  /// Another call for the same type sets new bounds.
  ///
  /// - Parameters:
  ///   - type: A response or a notice.
  ///   - count: How many; 0 ends the history.
  ///   - maxAge: The age above which events are dropped; `nil`: no limit.
  /// - Throws: ``Status/invalid`` for a request, a negative count, or an age of 0 or less.
  public func keepHistory<E: Event>(
    of type: E.Type, last count: Int, maxAge: Duration? = nil
  ) throws(StreamError) {
    let number = try types.number(of: type)
    let age = try maxAge?.milliseconds("keepHistory: maxAge", least: 1) ?? 0
    if count < 0 { throw StreamError(.invalid, "keepHistory: last: \(count) is less than 0") }
    try StreamError.check(mainstem_history_keep(handle, number, count, age))
  }
}
