// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// One stream and all that hangs on it, or a scope of it.
///
/// A context belongs to the thread that made it, and callbacks run inside calls on that thread. So
/// it is not `Sendable`, and callbacks may use what that thread uses. Other threads hand events in
/// by a ``Poster``.
///
///     let context = try Context()
///     try context.install(TodoServer())
///     let log = try context.observe { print($0.line) }
///     print(context.request(RequestToggle(id: 1)))
///
/// A context ends when it is released or closed; all that hangs on it ends with it.
public final class Context {
  /// The `mainstem_context *`, for modules that are installed through C. It ends with the context.
  public let handle: OpaquePointer?

  let types: EventTypes
  private let ownership: Ownership
  private var isEnded = false

  /// Makes a context: an empty stream.
  ///
  /// With `import MainstemJSON` the coder need not be named.
  ///
  /// - Parameters:
  ///   - options: How it is to be.
  ///   - coder: Turns events into payloads and back.
  /// - Throws: A status that says why there is none.
  public init(
    _ options: ContextOptions = ContextOptions(), coder: any PayloadCoder
  ) throws(StreamError) {
    handle = try options.create()
    types = EventTypes(coder: coder, home: handle)
    ownership = .context
  }

  /// The context or scope of a C host, for a module in Swift. The host keeps it and ends it.
  ///
  /// Where the host has opened it for any thread, callbacks run on whichever thread delivers, one
  /// at a time.
  ///
  /// - Parameters:
  ///   - handle: A `mainstem_context *`.
  ///   - coder: Turns events into payloads and back.
  public init(borrowing handle: OpaquePointer?, coder: any PayloadCoder) {
    self.handle = handle
    types = EventTypes(coder: coder, home: handle)
    ownership = .none
  }

  init(_ handle: OpaquePointer?, types: EventTypes, ownership: Ownership) {
    self.handle = handle
    self.types = types
    self.ownership = ownership
  }

  deinit {
    if isEnded { return }
    switch ownership {
    case .context: mainstem_context_close(handle)
    case .scope: mainstem_scope_end(handle)
    case .none: break
    }
  }

  /// Closes a context or ends a scope, and all that hangs on it.
  ///
  /// Open requests are answered with ``Status/cancelled``. Afterwards every call is refused with
  /// ``Status/stale``.
  ///
  /// - Throws: ``Status/busy`` when a context is closed inside a callback of it.
  public func close() throws(StreamError) {
    try StreamError.check(
      ownership == .context ? mainstem_context_close(handle) : mainstem_scope_end(handle))
    isEnded = true
  }

  enum Ownership { case context, scope, none }
}

@available(*, unavailable, message: "A context belongs to one thread. Others use its poster.")
extension Context: Sendable {}
