// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Feeds a journal to this context, which has accepted nothing yet: to look at what happened, or to prove it.
  ///
  /// Then install servers and observers, as the program always does. Nothing is fed before ``Replay/step(_:)``,
  /// ``Replay/seek(to:)``, ``Replay/toEnd()`` or ``Replay/run(speed:)``.
  ///
  ///     let replay = try context.replay("session.journal", mode: .verify)
  ///     try context.install(TodoServer())
  ///     try replay.toEnd()
  ///
  /// - Parameters:
  ///   - path: Of the journal.
  ///   - mode: What is fed, and whether it is compared.
  ///   - session: Which one of the journal's, from 1; `nil`: all of them, or, to verify, the first.
  /// - Returns: The replay, which ends when it is released.
  /// - Throws: ``Status/io``, ``Status/corrupt`` and ``Status/version`` where the journal cannot be read,
  ///   ``Status/invalid`` where the context is not fresh or has a type otherwise than the journal,
  ///   ``Status/unsupported`` to verify what begins in the midst of a session.
  public func replay(
    _ path: String, mode: ReplayMode = .muted, session: UInt64? = nil
  ) throws(StreamError) -> Replay {
    var options = mainstem_replay_options()
    let size = MemoryLayout<mainstem_replay_options>.size
    try StreamError.check(mainstem_replay_options_init(&options, size))
    options.mode = mode.number
    options.session = session ?? 0
    var replay: OpaquePointer?
    try StreamError.check(mainstem_replay_open(handle, path, &options, &replay))
    return Replay(replay, context: self)
  }

  /// Whether a journal is fed to it: then nothing is to be done outside the program, the answers are in the journal.
  public var isReplaying: Bool {
    var replaying: Int32 = 0
    return mainstem_context_replaying(handle, &replaying) == 0 && replaying != 0
  }
}
