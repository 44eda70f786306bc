// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// One stream and everything that belongs to it; or a scope of it.
///
/// A context belongs to the thread that made it, and callbacks run inside calls on that thread. So
/// it is not `Sendable`, and callbacks may use what that thread uses. Other threads hand in events
/// through a ``Poster``. In code that awaits, a context belongs to an actor instead:
/// ``init(on:_:coder:)``.
///
///     let context = try Context()
///     try context.install(TodoServer())
///     let log = try context.observe { print($0.line) }
///     print(context.request(RequestToggle(id: 1)))
///
/// A context ends when it is released or closed; everything that belongs to it ends with it.
public final class Context {
  /// The `mainstem_context *`, for modules installed through C. It ends with the context.
  public let handle: OpaquePointer?

  let types: EventTypes
  private let ownership: Ownership
  private var isEnded = false

  /// Makes a context: an empty stream.
  ///
  /// - Parameters:
  ///   - options: Its options.
  ///   - coder: Encodes and decodes payloads; `nil`: there are only events that need none, as a ``TextEvent``.
  /// - Throws: The reason it cannot be made.
  @available(
    *, noasync,
    message:
      "This code may go on on another thread after an await. Use Context(on: MainActor.shared) in a @MainActor function, Context(on: self) in an actor."
  )
  public init(
    _ options: ContextOptions = ContextOptions(), coder: (any PayloadCoder)? = JSONCoder()
  ) throws(StreamError) {
    handle = try options.create()
    types = EventTypes(coder: coder ?? NoCoder(), home: handle, clock: options.clock)
    ownership = .context
  }

  /// Wraps the context or scope of a C host, for a module in Swift. The host owns it and ends it.
  ///
  /// If the host opened it for any thread, callbacks run on whichever thread delivers, one at a time.
  ///
  /// - Parameters:
  ///   - handle: A `mainstem_context *`.
  ///   - coder: Encodes and decodes payloads; `nil`: there are only events that need none, as a ``TextEvent``.
  public init(borrowing handle: OpaquePointer?, coder: (any PayloadCoder)? = JSONCoder()) {
    self.handle = handle
    types = EventTypes(coder: coder ?? NoCoder(), home: handle)
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
    case .none: break
    case .context where types.drainer == nil: mainstem_context_close(handle)
    case .scope where types.drainer == nil: mainstem_scope_end(handle)
    case .context, .scope: types.drainer?.end(handle)
    }
  }

  /// Closes a context or ends a scope, with everything that belongs to it.
  ///
  /// What has been posted reaches its observers. The context of an actor drains first. Elsewhere their sends are
  /// refused: stop your threads and ``drain(max:)`` before. Open requests are answered with ``Status/cancelled``.
  /// Afterwards every call throws ``Status/stale``.
  ///
  /// - Throws: ``Status/busy`` if a context is closed inside one of its callbacks.
  public func close() throws(StreamError) {
    switch (ownership, types.drainer) {
    case (.context, let drainer?): try drainer.close()
    case (.context, nil): try StreamError.check(mainstem_context_close(handle))
    case (.scope, _), (.none, _): try StreamError.check(mainstem_scope_end(handle))
    }
    isEnded = true
  }

  /// Whether it is a scope; that of somebody else is if it is found to be.
  var isScope: Bool { ownership == .scope || ownership == .none && handle != types.home }

  enum Ownership { case context, scope, none }
}

@available(
  *, unavailable, message: "A context belongs to one thread or actor. Others use its poster."
)
extension Context: Sendable {}
