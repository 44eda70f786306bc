// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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

/// The first difference between a replay and its journal: ``Journal/verify(_:session:options:coder:_:)`` throws it.
public struct Difference: Error, Sendable {
  /// The position where it differs.
  public let position: UInt64
  /// What differs.
  public let field: Field
  /// The first payload byte that differs.
  public let offset: UInt64
  /// `#17 ResponseTodos: payload differs at byte 12: …`
  public let message: String
  /// What the journal has; `nil` for ``Field/extra`` and ``Field/digest``.
  public let expected: JournalEvent?
  /// What happened; `nil` for ``Field/missing`` and ``Field/digest``.
  public let actual: JournalEvent?
  /// Positions from its cause back to the outside event; at most 64. Empty if it has no cause, or its cause is too
  /// far back.
  public let chain: [UInt64]

  /// What differs. The fields of an event are compared in this order.
  public enum Field: UInt32, Sendable {
    /// The journal has an event that nobody sent.
    case missing = 1
    /// An event was sent that the journal does not have.
    case extra
    /// The event type.
    case type
    /// The name of the origin.
    case origin
    /// The position of the cause.
    case cause
    /// The position of the outside event that began the chain.
    case correlation
    /// The position of the request it answers.
    case answers
    /// Whether it is tracked, or progress.
    case flags
    /// The status.
    case status
    /// The payload.
    case payload
    /// The digest of everything so far: what differs was not kept in full.
    case digest
  }
}

extension Difference: CustomStringConvertible {
  /// Its ``message``.
  public var description: String { message }
}

extension Replay {
  /// Reads the first difference. It is available when the call that fed has thrown ``Status/different``.
  ///
  /// - Returns: The difference; `nil` if there is none so far.
  /// - Throws: ``Status/stale`` if the replay is closed.
  public func difference() throws(StreamError) -> Difference? {
    var found = mainstem_replay_difference()
    found.size = UInt32(MemoryLayout<mainstem_replay_difference>.size)
    try StreamError.check(mainstem_replay_difference_read(handle, &found))
    guard let field = Difference.Field(rawValue: found.field) else { return nil }
    return Difference(
      position: found.position, field: field, offset: found.offset,
      message: found.message.map { String(cString: $0) } ?? "",
      expected: event(found.expected), actual: event(found.actual),
      chain: Array(UnsafeBufferPointer(start: found.chain, count: Int(found.chain_count))))
  }

  /// Copies an event that the replay keeps; its names and line come from the context.
  private func event(_ kept: UnsafePointer<mainstem_event>?) -> JournalEvent? {
    guard var event = kept?.pointee else { return nil }
    event.context = context.handle
    return withUnsafePointer(to: event) { event in
      let delivery = Delivery(event, types: context.types)
      return JournalEvent(
        event, name: delivery.name, origin: delivery.origin, line: delivery.line,
        types: context.types)
    }
  }
}
