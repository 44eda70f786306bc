// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Journal {
  /// Verifies a journal: feeds what came from outside to a program, and compares what the program does.
  ///
  ///     let info = try Journal.verify("session.journal") { try install(in: $0) }
  ///
  /// One session is verified: the newest, unless you name another. ``ReplayInfo/sessions`` says which there are.
  ///
  /// - Parameters:
  ///   - path: The journal's file, or its numbered files without the number.
  ///   - session: The session of the journal, from 1; `nil`: the one that ``Context/replay(_:mode:session:)`` takes.
  ///   - options: The options of the context it makes.
  ///   - coder: Encodes and decodes payloads; `nil`: there are only events that need none.
  ///   - install: Gets the context, and installs servers and observers as the program always does.
  /// - Returns: How far the journal proves that the program does the same: to the session's end; and which sessions it has.
  /// - Throws: The first ``Difference``; the reason that the journal cannot be verified; what `install` throws.
  @discardableResult
  public static func verify(
    _ path: String, session: UInt64? = nil, options: ContextOptions = ContextOptions(),
    coder: (any PayloadCoder)? = JSONCoder(), _ install: (Context) throws -> Void
  ) throws -> ReplayInfo {
    let context = try Context(options, coder: coder)
    defer { try? context.close() }
    let replay = try context.replay(path, mode: .verify, session: session)
    try install(context)
    do { try replay.toEnd() } catch {
      throw try replay.difference() ?? error
    }
    var info = try replay.info()
    info.sessions = try sessions(of: path)
    let number = session ?? UInt64(info.sessions.count)
    info.session = info.sessions.first { $0.number == number }
    return info
  }
}
