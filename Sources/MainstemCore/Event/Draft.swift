// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// An event before it is accepted: everything but its position. The payload is borrowed.
package struct Draft {
  package var type: UInt32
  package var data: UnsafeRawPointer?
  package var size: Int
  package var origin: UInt32
  package var status: Int32 = 0
  /// The position of the request it answers.
  package var answers: UInt64 = 0
  /// The position of the event that caused it, if that is not the one being delivered.
  package var cause: UInt64?
  /// How many causes that makes back to the outside event.
  package var depth: UInt64 = 0
  /// For an answer, the correlation of the request.
  package var correlation: UInt64 = 0
  package var flags: UInt32 = 0
  /// Whether it is not sent if its bytes are there already: see `Stream.prepareValue`.
  package var isSet = false
  /// The handle of the tracked request that it is, or answers.
  package var reply: UInt64 = 0

  package init(type: UInt32, data: UnsafeRawPointer?, size: Int, origin: UInt32) {
    self.type = type
    self.data = data
    self.size = size
    self.origin = origin
  }
}

extension mainstem_event {
  /// Whether it is a list's, and its payload that of a `ListStep`.
  @inline(__always)
  package var isOfList: Bool { flags & UInt32(MAINSTEM_EVENT_LIST) != 0 }
}

extension Draft {
  /// Makes it the event of a list.
  package mutating func hold(_ step: ListStep.Pointer) {
    data = UnsafeRawPointer(ListStep.data(of: step))
    flags |= UInt32(MAINSTEM_EVENT_LIST)
  }

  /// Of a list: what the event holds, and the draft borrows.
  @inline(__always)
  package var step: ListStep.Pointer? {
    guard flags & UInt32(MAINSTEM_EVENT_LIST) != 0, let data else { return nil }
    return ListStep.of(data: data)
  }

  /// The bytes that law 9 counts: of a list, those of the rows that are new.
  package var weight: Int { step?.pointee.weight ?? size }

  /// Whether its payload is neither shown nor kept.
  package var isSecret: Bool { flags & UInt32(MAINSTEM_EVENT_SECRET) != 0 }

  /// Whether flags are those of a shared request, which handlers do not get: the library asks another one for it.
  package static func isAsker(_ flags: UInt32) -> Bool {
    let both = UInt32(MAINSTEM_EVENT_TRACKED | MAINSTEM_EVENT_SHARED)
    return flags & both == both
  }

  /// What `data` points to without a payload: never NULL, for the host's sake.
  @inline(__always)
  package static var nothing: UnsafeRawPointer { UnsafeRawPointer(StaticString("").utf8Start) }

  /// The event at its position on the stream.
  ///
  /// - Parameters:
  ///   - cause: The position of the event whose delivery sent it; 0: none.
  ///   - chain: The correlation of that event; ignored without a cause, and for an answer.
  ///   - isOutside: Whether it comes from no callback of the delivery itself.
  ///   - depth: The number of causes back to the outside event.
  package func event(
    at position: UInt64, cause: UInt64, chain: UInt64, time: Int64, isOutside: Bool,
    depth: UInt64 = 0
  ) -> mainstem_event {
    let start = correlation != 0 ? correlation : cause == 0 ? position : chain
    let payload = data ?? Draft.nothing
    return mainstem_event(
      position: position, cause: cause, correlation: start, answers: answers, time: time,
      size: UInt32(truncatingIfNeeded: size), offset: 0, type: type, status: status,
      origin: origin, flags: isOutside ? flags | UInt32(MAINSTEM_EVENT_OUTSIDE) : flags,
      data: payload, user_message: ErrorValue.text(ofPayload: payload, status: status),
      context: nil, reply: reply, home: 0, through: depth)
  }
}

/// Stands where a request has its handle, in an event that tells the end of a scope: so a delivery looks no more often
/// than it did. No handle is 1: the process's salt and the generation would have to agree with it.
package enum EndMark {
  package static var reply: UInt64 { 1 }
}

/// Stands where a request has its handle, in what a stage draws of a muted replay: the session has answered it, so its
/// answer is left out while the replay is open, and comes too late then. No handle is 2, as none is `EndMark`.
package enum DrawnMark {
  package static var reply: UInt64 { 2 }
}
