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
  /// What sets its lists, by type.
  var lists: [mainstem_event_type: AnyObject] = [:]

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
    types = EventTypes(coder: coder ?? NoCoder(), home: handle, isBorrowed: true)
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
    case .context where types.drainer == nil: types.rows.closing { mainstem_context_close(handle) }
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
    case (.context, nil):
      try StreamError.check(types.rows.closing { mainstem_context_close(handle) })
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

// MARK: - As text

extension Context: CustomStringConvertible {
  /// What it is, and whether it has ended: `Context`, `Scope Cell`, `Context, closed`.
  public var description: String {
    var (number, scope, name) = (UInt64(0), OpaquePointer?.none, UnsafePointer<CChar>?.none)
    let status = mainstem_scope_number(handle, &number)
    guard status == 0 else {
      let kind = isScope ? "Scope" : "Context"
      return Status(rawValue: status) == .wrongThread
        ? "\(kind) of another thread" : "\(kind), \(isScope ? "ended" : "closed")"
    }
    if number == 0 { return "Context" }
    mainstem_scope_find(handle, number, &scope, &name)
    return "Scope \(name.map { String(cString: $0) } ?? "")"
  }
}

// MARK: - Scopes

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

// MARK: - Options

/// Options for a new context.
public struct ContextOptions: Sendable, Hashable {
  /// Whether each event carries the time at which it was accepted.
  public var times: Bool
  /// Whether a send only accepts, and all callbacks run inside ``Context/drain(max:)``,
  /// ``Context/wait(timeout:interrupt:)`` and ``Context/flush()``.
  public var deliverOnHost: Bool
  /// Whether to measure how long each observer call takes: see ``Subscription/stats()``.
  public var timing: Bool
  /// What the context may use.
  public var limits: Limits
  /// The clock of its timers.
  public var clock: ContextClock
  /// The seed of ``Context/random()``; 0: the machine picks one.
  public var seed: UInt64
  /// Whether signal handlers written in C may post to it, by `mainstem_post_from_interrupt`.
  public var interrupts: Bool
  /// Whether a scope may send and observe only the layers that its ``Rights`` name: `nil` means none, not the parent's.
  public var denyByDefault: Bool

  /// Makes options.
  ///
  /// - Parameters:
  ///   - times: Whether each event carries the time at which it was accepted.
  ///   - deliverOnHost: Whether all callbacks run only inside a drain, wait or flush.
  ///   - timing: Whether to measure how long each observer call takes.
  ///   - limits: What the context may use.
  ///   - clock: The clock of its timers.
  ///   - seed: The seed of ``Context/random()``; 0: the machine picks one.
  ///   - interrupts: Whether signal handlers written in C may post to it.
  ///   - denyByDefault: Whether a scope may do only what its ``Rights`` name.
  public init(
    times: Bool = false, deliverOnHost: Bool = false, timing: Bool = false,
    limits: Limits = Limits(),
    clock: ContextClock = .monotonic, seed: UInt64 = 0, interrupts: Bool = false,
    denyByDefault: Bool = false
  ) {
    self.times = times
    self.deliverOnHost = deliverOnHost
    self.timing = timing
    self.limits = limits
    self.clock = clock
    self.seed = seed
    self.interrupts = interrupts
    self.denyByDefault = denyByDefault
  }
}

extension ContextOptions {
  /// Creates a C context with these options.
  ///
  /// - Parameter isGuarded: Whether one thread at a time uses it, not always the same; otherwise it belongs to the
  ///   calling thread.
  func create(isGuarded: Bool = false) throws(StreamError) -> OpaquePointer? {
    var options = mainstem_context_options()
    options.size = UInt32(MemoryLayout<mainstem_context_options>.size)
    options.threads = UInt32(isGuarded ? MAINSTEM_THREADS_GUARDED : MAINSTEM_THREADS_ONE)
    if times { options.flags |= UInt32(MAINSTEM_CONTEXT_TIMES) }
    if deliverOnHost { options.flags |= UInt32(MAINSTEM_CONTEXT_DELIVER_ON_HOST) }
    if timing { options.flags |= UInt32(MAINSTEM_CONTEXT_TIMING) }
    if interrupts { options.flags |= UInt32(MAINSTEM_CONTEXT_INTERRUPTS) }
    if denyByDefault { options.flags |= UInt32(MAINSTEM_CONTEXT_DENY_BY_DEFAULT) }
    limits.write(to: &options)
    options.clock = UInt32(clock == .virtual ? MAINSTEM_CLOCK_VIRTUAL : MAINSTEM_CLOCK_MONOTONIC)
    options.seed = seed
    var handle: OpaquePointer?
    try StreamError.check(mainstem_context_create(&options, &handle))
    return handle
  }
}

/// The clock of a context's timers.
public enum ContextClock: Sendable, Hashable {
  /// The machine's monotonic clock, which nobody can set.
  case monotonic
  /// A clock that begins at 0 and stands still until ``Context/advance(by:)`` moves it. For tests and
  /// simulations.
  case virtual
}

/// What one context may use (law 9). `nil` takes the default.
public struct Limits: Sendable, Hashable {
  /// Subscriptions at a time, including server handlers.
  public var observers: UInt64?
  /// Bytes per payload; at most 4,294,967,295, the default.
  public var payload: UInt64?
  /// Rows of a list, at most 16,777,216; `nil`: 1,048,576.
  public var rows: UInt64?
  /// Causes from an event back to its outside event; `nil`: 65,536. To continue a longer chain, use a timer.
  public var cascade: UInt64?
  /// Waiting events: sent in callbacks or while another thread delivers.
  public var events: UInt64?
  /// Bytes of their payloads; a lone event may exceed it.
  public var bytes: UInt64?
  /// Posted events not yet taken in.
  public var posts: UInt64?
  /// Bytes of their payloads; like ``bytes``.
  public var postBytes: UInt64?

  /// Makes limits that are all at their defaults.
  public init() {}
}

extension Limits {
  /// Writes the limits into a context's options.
  func write(to options: inout mainstem_context_options) {
    options.limit_observers = observers ?? 0
    options.limit_payload = payload ?? 0
    options.limit_rows = rows ?? 0
    options.limit_cascade = cascade ?? 0
    options.limit_events = events ?? 0
    options.limit_bytes = bytes ?? 0
    options.limit_posts = posts ?? 0
    options.limit_post_bytes = postBytes ?? 0
  }
}
