// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

extension Context {
  /// Makes a context whose payloads are JSON.
  ///
  /// - Parameter options: Its options.
  /// - Throws: The reason it cannot be made.
  @available(
    *, noasync,
    message:
      "This code may go on on another thread after an await. Use Context(on: MainActor.shared) in a @MainActor function, Context(on: self) in an actor."
  )
  public convenience init(_ options: ContextOptions = ContextOptions()) throws(StreamError) {
    try self.init(options, coder: JSONCoder())
  }

  /// Makes a context for an actor, whose payloads are JSON.
  ///
  /// - Parameters:
  ///   - actor: The actor: `self` in its methods, `MainActor.shared` in code of the main actor.
  ///   - options: Its options.
  /// - Throws: The reason it cannot be made.
  public convenience init(
    on actor: isolated any Actor, _ options: ContextOptions = ContextOptions()
  ) throws(StreamError) {
    try self.init(on: actor, options, coder: JSONCoder())
  }

  /// Wraps the context or scope of a C host; payloads are JSON. The host owns it and ends it.
  ///
  /// - Parameter handle: A `mainstem_context *`.
  public convenience init(borrowing handle: OpaquePointer?) {
    self.init(borrowing: handle, coder: JSONCoder())
  }
}
