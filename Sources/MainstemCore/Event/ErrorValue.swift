// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// An error as a value: what a response with a status other than OK carries instead of its payload.
///
/// On the stream it is three zero-terminated texts: message, text, subject.
package struct ErrorValue {
  package let code: Int32
  package let message: Bytes
  package let text: Bytes
  package let subject: Bytes

  package init(code: Int32, message: Bytes, text: Bytes, subject: Bytes) {
    self.code = code
    self.message = message
    self.text = text
    self.subject = subject
  }

  /// An error from the core itself.
  package init(_ status: Status, _ message: StaticString) {
    self.init(
      code: status.rawValue, message: Bytes(message), text: Bytes(""), subject: Bytes(""))
  }

  /// What open requests get when their context is closed.
  package static var contextClosed: ErrorValue {
    ErrorValue(.cancelled, "the context was closed")
  }

  package var packedSize: Int { message.count &+ text.count &+ subject.count &+ 3 }

  /// Writes the three texts; `memory` has room for `packedSize` bytes.
  package func pack(into memory: UnsafeMutableRawPointer, isSecret: Bool = false) {
    var end = memory
    ErrorValue.write(message, &end, isSecret)
    ErrorValue.write(text, &end, isSecret)
    ErrorValue.write(subject, &end, isSecret)
  }

  private static func write(
    _ bytes: Bytes, _ end: inout UnsafeMutableRawPointer, _ isSecret: Bool
  ) {
    Memory.copy(bytes.count, from: bytes.start, to: end, isSecret: isSecret)
    end.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    end += bytes.count &+ 1
  }
}

extension ErrorValue {
  /// The error that an event carries.
  package init(of event: UnsafePointer<mainstem_event>) {
    let message = Bytes(zeroEnded: event.pointee.data.assumingMemoryBound(to: CChar.self))
    let text = message.next
    self.init(code: event.pointee.status, message: message, text: text, subject: text.next)
  }

  /// What an event's `text` points to: the error's text, or its message if there is none; empty if OK.
  package static func text(
    ofPayload payload: UnsafeRawPointer, status: Int32
  ) -> UnsafePointer<CChar> {
    guard status != 0 else { return Draft.nothing.assumingMemoryBound(to: CChar.self) }
    let message = Bytes(zeroEnded: payload.assumingMemoryBound(to: CChar.self))
    let text = message.next
    return (text.count > 0 ? text : message).start.assumingMemoryBound(to: CChar.self)
  }
}

extension Bytes {
  /// The zero-terminated text behind this one.
  fileprivate var next: Bytes {
    Bytes(zeroEnded: (start + (count &+ 1)).assumingMemoryBound(to: CChar.self))
  }
}
