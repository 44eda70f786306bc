// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

extension Context {
  /// Makes a context whose events travel as JSON.
  ///
  /// - Parameter options: How it is to be.
  /// - Throws: A status that says why there is none.
  public convenience init(_ options: ContextOptions = ContextOptions()) throws(StreamError) {
    try self.init(options, coder: JSONCoder())
  }

  /// The context or scope of a C host, whose events travel as JSON. The host keeps it and ends it.
  ///
  /// - Parameter handle: A `mainstem_context *`.
  public convenience init(borrowing handle: OpaquePointer?) {
    self.init(borrowing: handle, coder: JSONCoder())
  }
}
