// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Puts an event on the stream.
  ///
  /// Outside callbacks it has reached all its observers, and so has what they sent, when the call
  /// returns. Inside a callback it is delivered after the current event.
  ///
  /// - Parameter event: What happened, or what is asked.
  /// - Throws: Why it was not accepted.
  public func send<E: Event>(_ event: E) throws(StreamError) {
    let number = try types.number(of: E.self, in: handle)
    let bytes = try types.encode(event)
    try StreamError.check(mainstem_send(handle, number, bytes, bytes.count))
  }

  /// What other threads use to hand events of a type to this context.
  ///
  /// - Parameter type: The type of event.
  /// - Returns: A value to give to other threads.
  /// - Throws: Why the type could not be registered.
  public func poster<E: Event>(for type: E.Type) throws(StreamError) -> Poster<E> {
    Poster(handle, number: try types.number(of: type, in: handle), types: types)
  }

  /// A child of this context: what is sent through it carries its name, and what is observed
  /// through it ends with it. It ends when it is released or closed.
  ///
  /// - Parameter name: Need not be unique.
  /// - Returns: The scope.
  /// - Throws: Why there is none.
  public func scope(_ name: String) throws(StreamError) -> Context {
    var scope: OpaquePointer?
    try StreamError.check(mainstem_scope_add(handle, name, &scope))
    return Context(scope, types: types, ownership: .scope)
  }
}
