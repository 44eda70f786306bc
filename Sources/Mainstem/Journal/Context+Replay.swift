// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Opens a journal to feed it to this context, which must not have accepted anything yet.
  ///
  /// Afterwards install servers and observers as the program always does. Nothing is fed before
  /// ``Replay/step(_:)``, ``Replay/seek(to:)``, ``Replay/toEnd()`` or ``Replay/run(speed:)``.
  ///
  ///     let replay = try context.replay("session.journal", mode: .verify)
  ///     try context.install(TodoServer())
  ///     try replay.toEnd()
  ///
  /// - Parameters:
  ///   - path: The journal's file, or its numbered files without the number.
  ///   - mode: What is fed, and whether the outcome is compared.
  ///   - session: The session of the journal, from 1; `nil`: all of them; with ``ReplayMode/verify``, the newest.
  /// - Returns: The replay, which ends when it is released.
  /// - Throws: ``Status/io``, ``Status/corrupt`` or ``Status/version`` if the journal cannot be read,
  ///   ``Status/invalid`` if the context is not fresh or a type is registered differently here,
  ///   ``Status/unsupported`` to verify a journal that begins in the middle of a session.
  public func replay(
    _ path: String, mode: ReplayMode = .muted, session: UInt64? = nil
  ) throws(StreamError) -> Replay {
    try StreamError.demandNoZero(path, "replay: path")
    var options = mainstem_replay_options()
    options.size = UInt32(MemoryLayout<mainstem_replay_options>.size)
    options.mode = mode.number
    options.session = session ?? 0
    var replay: OpaquePointer?
    try StreamError.check(mainstem_replay_open(handle, path, &options, &replay))
    return Replay(replay, context: self)
  }

  /// Whether the context is replaying. If so, do nothing outside the program: the answers are in the journal.
  public var isReplaying: Bool {
    var replaying: Int32 = 0
    return mainstem_context_is_replaying(handle, &replaying) == 0 && replaying != 0
  }
}
