// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Counts the open tracked requests of a type.
  ///
  /// - Parameter type: The request type.
  /// - Returns: The count. Observers of the last response read 0.
  /// - Throws: The reason the call was refused.
  public func requestCount<R: Request>(of type: R.Type) throws(StreamError) -> Int {
    let number = try types.number(of: type)
    var count: UInt64 = 0
    try StreamError.check(mainstem_request_count(handle, number, &count))
    return Int(clamping: count)
  }

  /// Reports the activity of a request type, from now on: an ``ActivityReport`` says when the type becomes
  /// busy, and when it is idle again. A request answered at once makes no report.
  ///
  /// - Parameter type: The request type.
  /// - Throws: The reason the call was refused.
  public func reportActivity<R: Request>(of type: R.Type) throws(StreamError) {
    try StreamError.check(mainstem_activity_report(handle, try types.number(of: type)))
  }
}
