// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

extension Context {
  /// Makes a context whose payloads are JSON.
  ///
  /// - Parameter options: Its options.
  /// - Throws: The reason it cannot be made.
  public convenience init(_ options: ContextOptions = ContextOptions()) throws(StreamError) {
    try self.init(options, coder: JSONCoder())
  }

  /// Wraps the context or scope of a C host; payloads are JSON. The host owns it and ends it.
  ///
  /// - Parameter handle: A `mainstem_context *`.
  public convenience init(borrowing handle: OpaquePointer?) {
    self.init(borrowing: handle, coder: JSONCoder())
  }
}
