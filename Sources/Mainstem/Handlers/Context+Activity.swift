// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// How many requests of a type have no answer yet.
  ///
  /// - Parameter type: The type of request.
  /// - Returns: The number; 0 for whoever sees the last answer.
  /// - Throws: Why it could not be read.
  public func activity<R: Request>(of type: R.Type) throws(StreamError) -> Int {
    let number = try types.number(of: type)
    var count: UInt64 = 0
    try StreamError.check(mainstem_activity(handle, number, &count))
    return Int(clamping: count)
  }

  /// Puts an ``ActivityReport`` on the stream, from now on, whenever requests of a type are open that
  /// were not answered at once, and when none is any more.
  ///
  /// - Parameter type: The type of request.
  /// - Throws: Why it cannot be told.
  public func reportActivity<R: Request>(of type: R.Type) throws(StreamError) {
    try StreamError.check(mainstem_activity_report(handle, try types.number(of: type)))
  }
}
