// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// Whole milliseconds, as C takes them, rounded up: nothing happens too early.
  ///
  /// - Parameters:
  ///   - argument: The argument it was given for.
  ///   - least: The least that the argument may be.
  /// - Throws: ``Status/invalid`` for less, and for more milliseconds than there are numbers.
  package func milliseconds(_ argument: String, least: Int64 = 0) throws(StreamError) -> Int64 {
    try whole(1_000_000_000_000_000, perSecond: 1000, argument, least: least)
  }

  /// Whole microseconds, rounded up.
  func microseconds(_ argument: String) throws(StreamError) -> Int64 {
    try whole(1_000_000_000_000, perSecond: 1_000_000, argument, least: 0)
  }

  private func whole(
    _ unit: Int64, perSecond: Int64, _ argument: String, least: Int64
  ) throws(StreamError) -> Int64 {
    let (seconds, attoseconds) = components
    let (product, isTooLong) = seconds.multipliedReportingOverflow(by: perSecond)
    // Both parts have the same sign.
    let rest = attoseconds > 0 ? (attoseconds - 1) / unit + 1 : attoseconds / unit
    let (count, isLonger) = product.addingReportingOverflow(rest)
    if isTooLong || isLonger {
      throw StreamError(.invalid, "\(argument): \(self) is longer than the library can count")
    }
    if self < .zero || count < least {
      throw StreamError(
        .invalid, "\(argument): \(self), and it must be \(least > 0 ? "more than 0" : "0 or more")")
    }
    return count
  }
}
