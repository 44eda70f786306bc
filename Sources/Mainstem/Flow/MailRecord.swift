// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// One event that was fetched from a ``Mailbox``: a copy, which may be kept.
public struct MailRecord {
  private let header: mainstem_header
  private let types: EventTypes
  private let bytes: [UInt8]

  init(at index: Int, in buffer: UnsafeRawBufferPointer, types: EventTypes) {
    header = buffer.loadUnaligned(
      fromByteOffset: index * MemoryLayout<mainstem_header>.size, as: mainstem_header.self)
    let start = Int(header.offset)
    bytes = Array(buffer[start..<start + Int(header.size)])
    self.types = types
  }
}

extension MailRecord {
  /// Its place on the stream; of a gap, that of the last event lost.
  public var position: UInt64 { header.position }

  /// The position of the event whose delivery sent it; 0 = it came from outside.
  public var cause: UInt64 { header.cause }

  /// The position of the outside event that began the chain.
  public var correlation: UInt64 { header.correlation }

  /// The position of the request that it answers; 0 = none.
  public var answers: UInt64 { header.answers }

  /// Nanoseconds since 1970 when it was accepted; 0 where not asked for.
  public var time: Int64 { header.time }

  /// ``Status/ok``, or the code of a response that failed.
  public var status: Status { Status(rawValue: header.status) }

  /// Whether it was sent from no callback of its context.
  public var isOutside: Bool { header.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0 }

  /// Whether it was kept before the mailbox was there: ``Context/keepHistory(of:last:maxAge:)``.
  public var isLate: Bool { header.flags & UInt32(MAINSTEM_EVENT_LATE) != 0 }

  /// Whether its type is a secret: its payload is to be neither shown nor kept.
  public var isSecret: Bool { header.flags & UInt32(MAINSTEM_EVENT_SECRET) != 0 }

  /// What was lost in its place; `nil` for every event of the stream.
  public var gap: Gap? {
    guard header.flags & UInt32(MAINSTEM_EVENT_GAP) != 0 else { return nil }
    return bytes.withUnsafeBytes { bytes in
      guard bytes.count >= MemoryLayout<mainstem_gap>.size else { return nil }
      let gap = bytes.loadUnaligned(as: mainstem_gap.self)
      return Gap(from: gap.from, to: gap.to, count: gap.count)
    }
  }

  /// What went wrong, in a response that failed.
  public var failure: Failure? {
    guard status != .ok else { return nil }
    let parts = bytes.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count >= 3 else { return Failure("", code: status) }
    return Failure(parts[0], userText: parts[1], subject: parts[2], code: status)
  }

  /// Its payload as it travelled; empty for a response that failed.
  public var payload: [UInt8] { status == .ok ? bytes : [] }

  /// Whether it is an event of a type, and no failed response.
  ///
  /// - Parameter type: The type.
  /// - Returns: Whether ``decode(_:)`` can give it.
  public func isEvent<E: Event>(_ type: E.Type) -> Bool {
    guard status == .ok, gap == nil, let number = try? types.number(of: type) else { return false }
    return header.type == number
  }

  /// The event as a value.
  ///
  /// - Parameter type: Its type; for another the call throws.
  /// - Returns: The event.
  /// - Throws: The failure of a response that failed; ``Status/invalid`` for a gap and for a payload that is
  ///   no such event.
  public func decode<E: Event>(_ type: E.Type) throws(Failure) -> E {
    if let failure { throw failure }
    guard isEvent(type) else { throw Failure("#\(position) is no \(E.name)", code: .invalid) }
    return try types.decode(type, from: bytes, isSecret: isSecret)
  }
}
