// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// An event of a ``Journal``: a copy, which may be kept.
public struct JournalEvent: Sendable {
  /// Its place on the stream.
  public let position: UInt64
  /// The position of the event whose delivery sent it; 0 = it came from outside.
  public let cause: UInt64
  /// The position of the outside event that began the chain.
  public let correlation: UInt64
  /// The position of the request it answers; 0 = none.
  public let answers: UInt64
  /// When it was accepted, in nanoseconds since 1970.
  public let time: Int64
  /// ``Status/ok``, or the code of a failed response.
  public let status: Status
  /// The name of its type; empty if the journal does not have it.
  public let name: String
  /// The name of the scope it was sent through; empty for the context itself.
  public let origin: String
  /// The event as one line of text, the same in every language.
  public let line: String
  /// Its payload as it was sent; empty for a failed response, and if only a mark was kept.
  public let payload: [UInt8]
  /// What went wrong, in a failed response; `nil` otherwise.
  public let failure: Failure?

  private let flags: UInt32
  private let types: EventTypes

  init(
    _ event: UnsafePointer<mainstem_event>, name: String, origin: String, line: String,
    types: EventTypes
  ) {
    let header = event.pointee
    (position, cause, correlation) = (header.position, header.cause, header.correlation)
    (answers, time, flags) = (header.answers, header.time, header.flags)
    status = Status(rawValue: header.status)
    payload = header.status == 0 ? EventTypes.bytes(of: header) : []
    failure = header.status == 0 ? nil : Failure(of: event)
    (self.name, self.origin, self.line, self.types) = (name, origin, line, types)
  }
}

extension JournalEvent {
  /// Whether it is a tracked request, which exactly one response answers.
  public var isTracked: Bool { flags & UInt32(MAINSTEM_EVENT_TRACKED) != 0 }

  /// Whether it is progress of a request, not its response.
  public var isProgress: Bool { flags & UInt32(MAINSTEM_EVENT_PROGRESS) != 0 }

  /// Whether it is a shared request, which no handler gets, or its copy of an answer or of a step.
  public var isShared: Bool { flags & UInt32(MAINSTEM_EVENT_SHARED) != 0 }

  /// Whether it came from outside: a replay feeds such events in.
  public var isOutside: Bool { flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0 }

  /// Whether only its mark was kept: position, type, cause, time and flags (``RecordMode/mark``). Of an output with
  /// ``RecordMode/inputs``, the digest of its payload was kept too.
  public var isMarked: Bool { flags & UInt32(MAINSTEM_EVENT_MARKED) != 0 }

  /// Whether only its mark was kept because its type is a secret (``Event/isSecret``).
  public var isWithheld: Bool { flags & UInt32(MAINSTEM_EVENT_WITHHELD) != 0 }

  /// Whether it is an event of a type, kept in full, and not a failed response.
  ///
  /// - Parameter type: The type; compared by name.
  /// - Returns: Whether ``decode(_:)`` can decode it as that type.
  public func isEvent<E: Event>(_ type: E.Type) -> Bool {
    status == .ok && !isMarked && !isWithheld && name == E.name
  }

  /// Decodes the event.
  ///
  /// - Parameter type: Its type; for any other type the call throws.
  /// - Returns: The event.
  /// - Throws: The failure of a failed response; ``Status/withheld`` if only a mark was kept;
  ///   ``Status/invalid`` for a payload that cannot be decoded.
  public func decode<E: Event>(_ type: E.Type) throws(Failure) -> E {
    if let failure { throw failure }
    if isMarked || isWithheld {
      throw Failure("#\(position): only the mark of it was kept", code: .withheld)
    }
    guard isEvent(type) else { throw Failure("#\(position) is no \(E.name)", code: .invalid) }
    return try types.decode(
      type, from: payload, isSecret: flags & UInt32(MAINSTEM_EVENT_SECRET) != 0)
  }
}

extension JournalEvent: CustomStringConvertible {
  /// Its ``line``.
  public var description: String { line }
}

extension JournalEvent {
  /// The name of a type in the session of the last event read.
  static func name(of type: mainstem_event_type, in journal: OpaquePointer?) -> String {
    var info = mainstem_type_info()
    info.size = UInt32(MemoryLayout<mainstem_type_info>.size)
    guard mainstem_journal_type_read(journal, type, &info) == 0 else { return "" }
    return info.name.map { String(cString: $0) } ?? ""
  }

  /// The name of a scope in the session of the last event read.
  static func origin(_ origin: UInt32, in journal: OpaquePointer?) -> String {
    var name: UnsafePointer<CChar>?
    // The context itself has no name.
    guard origin != 0, mainstem_journal_origin_name(journal, origin, &name) == 0 else { return "" }
    return name.map { String(cString: $0) } ?? ""
  }

  /// An event of the journal as one line of text.
  static func line(
    of event: UnsafePointer<mainstem_event>, in journal: OpaquePointer?
  ) -> String {
    String(ofC: { mainstem_journal_event_line(journal, event, $0, $1, $2) })
  }
}
