// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// A child of this context: what is sent through it carries its name, and what is observed
  /// through it ends with it. It ends when it is released or closed.
  ///
  /// What is beyond its rights is refused with ``Status/denied``, counted, and reported on the
  /// stream as ``DenialReport``; a log of everything silently sees what it may observe.
  ///
  /// - Parameters:
  ///   - name: Need not be unique.
  ///   - rights: What may be done through it, and through what is made through it.
  ///   - observers: Subscriptions at a time, its children's included, at least 1; `nil`: as many
  ///     as this context may have.
  /// - Returns: The scope.
  /// - Throws: Why there is none.
  public func scope(
    _ name: String, rights: Rights = Rights(), observers: UInt64? = nil
  ) throws(StreamError) -> Context {
    var options = mainstem_scope_options()
    let size = MemoryLayout<mainstem_scope_options>.size
    try StreamError.check(mainstem_scope_options_init(&options, size))
    try rights.write(to: &options, in: handle)
    options.limit_observers = observers ?? 0
    var scope: OpaquePointer?
    try StreamError.check(mainstem_scope_add_with(handle, name, &options, &scope))
    return Context(scope, types: types, ownership: .scope)
  }
}
