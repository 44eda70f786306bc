// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Adds a scope: a named child of this context. Events sent through it carry its name as their
  /// origin; observers registered through it end with it. It ends when it is released or closed.
  ///
  /// A call beyond its rights throws ``Status/denied``, is counted, and is reported on the stream as
  /// ``DenialReport``. An observer of every event sees only what the scope may observe.
  ///
  /// - Parameters:
  ///   - name: Its name; need not be unique.
  ///   - rights: What may be done through it and its children.
  ///   - observers: Subscriptions at a time, including its children's, at least 1; `nil`: as many
  ///     as this context may have.
  /// - Returns: The scope.
  /// - Throws: The reason the call was refused.
  public func scope(
    _ name: String, rights: Rights = Rights(), observers: UInt64? = nil
  ) throws(StreamError) -> Context {
    try StreamError.demandNoZero(name, "scope: name")
    var options = try rights.options(in: handle)
    if observers == 0 { throw StreamError(.invalid, "scope: observers: it needs at least 1") }
    options.limit_observers = observers ?? 0
    var scope: OpaquePointer?
    try StreamError.check(mainstem_scope_add(handle, name, &options, &scope))
    return Context(scope, types: types, ownership: .scope)
  }

  /// Its number: the same in every repetition of the session. ``scope(number:)`` finds it by that. The number of a
  /// context that is no scope is 0.
  ///
  /// - Throws: ``Status/stale`` when it has ended.
  public var number: UInt64 {
    get throws(StreamError) {
      var number: UInt64 = 0
      try StreamError.check(mainstem_scope_number(handle, &number))
      return number
    }
  }

  /// Finds the live scope with a number, wherever it is in the context.
  ///
  /// Who added the scope still owns it: it does not end when what is returned here is released, but ends for all when
  /// that is closed.
  ///
  /// - Parameter number: A scope's ``number``; 0 finds the context.
  /// - Returns: The scope; `nil` if it was never added, has ended, or may do more than this one.
  /// - Throws: The reason the call was refused.
  public func scope(number: UInt64) throws(StreamError) -> Context? {
    var scope: OpaquePointer?
    try StreamError.check(mainstem_scope_find(handle, number, &scope, nil))
    return scope.map { Context($0, types: types, ownership: .none) }
  }
}
