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
