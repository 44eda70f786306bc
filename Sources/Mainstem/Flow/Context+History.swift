// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Keeps the last events of a type for late observers, from here on: a history.
  ///
  /// An observer that is made later gets them first, flagged ``Delivery/isLate``, then the stream.
  /// Said again for a type, the new bounds hold.
  ///
  /// - Parameters:
  ///   - type: A response or a notice.
  ///   - count: How many; 0 ends the history.
  ///   - maxAge: Older events are dropped; `nil`: no limit.
  /// - Throws: ``Status/invalid`` for a request.
  public func keepHistory<E: Event>(
    of type: E.Type, last count: Int, maxAge: Duration? = nil
  ) throws(StreamError) {
    let number = try types.number(of: type)
    try StreamError.check(
      mainstem_history_keep(handle, number, count, maxAge.map { max(1, $0.milliseconds) } ?? 0))
  }
}

extension Duration {
  /// Whole milliseconds, as C has them.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? Int64.max : whole &+ attoseconds / 1_000_000_000_000_000
  }
}
