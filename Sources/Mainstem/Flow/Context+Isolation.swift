// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Makes a context for an actor: its code may use the context before and after each `await`.
  ///
  ///     @MainActor final class App {
  ///       let context: Context
  ///       init() throws { context = try Context(on: MainActor.shared) }
  ///     }
  ///
  /// Callbacks run on the actor, so they may use what belongs to it. The context drains by itself: posts, answers from
  /// elsewhere, timers and callbacks on ``Scheduler/host`` get a turn of the actor each time something comes. Released
  /// elsewhere, it is closed on the actor.
  ///
  /// - Parameters:
  ///   - actor: The actor: `self` in its methods, `MainActor.shared` in code of the main actor. The context does not
  ///     keep it.
  ///   - options: Its options.
  ///   - coder: Encodes and decodes payloads; `nil`: there are only events that need none, as a ``TextEvent``.
  /// - Throws: The reason it cannot be made.
  public convenience init(
    on actor: isolated any Actor, _ options: ContextOptions = ContextOptions(),
    coder: (any PayloadCoder)? = JSONCoder()
  ) throws(StreamError) {
    let handle = try options.create(isGuarded: true)
    let drainer = Drainer(handle, on: actor)
    let types = EventTypes(
      coder: coder ?? NoCoder(), home: handle, clock: options.clock, drainer: drainer)
    self.init(handle, types: types, ownership: .context)
    try setWake { drainer.wake() }
  }
}

/// Drains a context on the actor that it belongs to: when something has come, and when a timer is due.
///
/// Sendable because the lock guards its mutable state.
final class Drainer: @unchecked Sendable {
  /// The rows of lists that are kept.
  let rows = KeptRows()
  private let context: Handle
  // The actor usually keeps the context, so it must not be kept here.
  private weak let actor: (any Actor)?
  private let lock = Lock()
  private var timer: Task<Void, Never>?
  private var isEnded = false
  /// What is called before the drain that precedes the close, in no particular order.
  private var closing: [ObjectIdentifier: @Sendable () -> Void] = [:]

  init(_ context: OpaquePointer?, on actor: any Actor) {
    self.context = Handle(pointer: context)
    self.actor = actor
  }

  /// Drains soon. For any thread.
  func wake() {
    guard let actor else { return }
    Task { await drain(on: actor) }
  }

  private func drain(on actor: isolated any Actor) {
    guard mainstem_drain(context.pointer, 0, nil) == 0 else { return }
    var timeoutMs: Int64 = -1
    mainstem_context_next_timeout(context.pointer, &timeoutMs)
    plan(timeoutMs)
  }

  /// Drains again after a time; below 0: when it is woken.
  private func plan(_ timeoutMs: Int64) {
    let next =
      timeoutMs < 0
      ? nil
      : Task { [weak self] in
        do { try await Task.sleep(for: .milliseconds(timeoutMs)) } catch { return }
        self?.wake()
      }
    let last = lock.locked {
      let last = isEnded ? next : timer
      timer = isEnded ? nil : next
      return last
    }
    last?.cancel()
  }

  /// Stops waiting for timers, for good.
  private func end() {
    let last = lock.locked {
      isEnded = true
      defer { timer = nil }
      return timer
    }
    last?.cancel()
  }

  /// Sets what is called before the last drain; `nil`: nothing any more.
  func beforeClose(_ caller: ObjectIdentifier, _ body: (@Sendable () -> Void)?) {
    lock.locked { closing[caller] = body }
  }

  /// Closes the context. For the actor.
  ///
  /// What has been posted is delivered as in any turn, so its handlers may still send. A replay feeds nothing more.
  func close() throws(StreamError) {
    var isReplaying: Int32 = 0
    mainstem_context_is_replaying(context.pointer, &isReplaying)
    let bodies = lock.locked { Array(closing.values) }
    for body in bodies { body() }
    if isReplaying == 0 { mainstem_drain(context.pointer, 0, nil) }
    try StreamError.check(rows.closing { mainstem_context_close(context.pointer) })
    end()
  }

  /// Ends the context or one of its scopes on the actor: at once if this is the actor, otherwise soon. For any thread.
  func end(_ handle: OpaquePointer?) {
    let isContext = handle == context.pointer
    if isContext { end() }
    let handle = Handle(pointer: handle)
    end { [rows] in
      _ =
        isContext
        ? rows.closing { mainstem_context_close(handle.pointer) }
        : mainstem_scope_end(handle.pointer)
    }
  }

  /// Calls a closure that ends something of the context on the actor, as above.
  func end(_ body: @escaping @Sendable () -> Void) {
    // Without the actor nobody else can use the context.
    guard let actor else { return body() }
    _ = Ending(body, on: actor)
  }
}

/// Calls a closure on an actor, when it is released itself.
private actor Ending {
  private let body: @Sendable () -> Void
  private let actor: any Actor

  init(_ body: @escaping @Sendable () -> Void, on actor: any Actor) {
    self.body = body
    self.actor = actor
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { actor.unownedExecutor }

  isolated deinit { body() }
}

// MARK: - Ending on the actor

extension Context {
  /// Calls a closure that ends something of the context, for who is released: in a context of an actor, on that actor; at
  /// once if this is the actor, otherwise soon. Elsewhere here and now.
  package func end(_ body: @escaping @Sendable () -> Void) {
    guard let drainer = types.drainer else { return body() }
    drainer.end(body)
  }
}
