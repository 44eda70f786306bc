// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// One event as one line of text, the same everywhere.
///
/// Works like snprintf: what does not fit is counted and left out.
package struct EventLine {
  private let buffer: UnsafeMutablePointer<CChar>?
  private let capacity: Int
  /// The length of the whole line.
  package private(set) var length = 0

  /// - Parameter capacity: Room in the buffer, including the zero at the end.
  package init(_ buffer: UnsafeMutablePointer<CChar>?, capacity: Int) {
    self.buffer = buffer
    self.capacity = capacity
  }

  /// Writes the line and terminates it with a zero. A type or origin without a known name is shown as its number.
  @inline(never)
  package mutating func write(
    _ event: UnsafePointer<mainstem_event>, name: Bytes?, contract: Contract, origin: Bytes?
  ) {
    add("#")
    add(event.pointee.position)
    add(" ")
    if let name {
      add(escaping: name, upTo: .max)
    } else {
      add("type ")
      add(UInt64(event.pointee.type))
    }
    if event.pointee.status != 0 || contract.role == .response {
      add(" ")
      add(status: event.pointee.status)
    }
    if event.pointee.cause != 0 {
      add(" ← #")
      add(event.pointee.cause)
    }
    if event.pointee.answers != 0, event.pointee.answers != event.pointee.cause {
      add(" answers #")
      add(event.pointee.answers)
    }
    if let origin {
      if origin.count > 0 { add(" ") }
      add(escaping: origin)
    } else {
      add(" origin ")
      add(UInt64(event.pointee.origin))
    }
    add(payloadOf: event, contract)
    end()
  }
}

extension EventLine {
  private static var longestPayload: Int { 240 }

  private mutating func add(
    payloadOf event: UnsafePointer<mainstem_event>, _ contract: Contract
  ) {
    let payload = Bytes(event.pointee.data, Int(event.pointee.size))
    if contract.isSecret || event.pointee.flags & UInt32(MAINSTEM_EVENT_WITHHELD) != 0 {
      add(" <secret>")
    } else if event.pointee.flags & UInt32(MAINSTEM_EVENT_MARKED) != 0 {
      add(" <marked>")
    } else if event.pointee.status != 0 {
      add(" \"")
      add(escaping: ErrorValue(of: event).shown)
      add("\"")
    } else if contract.isList {
      add(ListChanges(payload), contract)
    } else if contract.payload == .text || contract.payload == .json {
      guard payload.count > 0 else { return }
      add(" ")
      add(escaping: payload)
    } else if let scalar = Scalar(of: payload, contract.payload) {
      add(" ")
      scalar.withText { add($0) }
    } else if contract.payload != .some(.none) {
      add(" <")
      add(UInt64(payload.count))
      add(payload.count == 1 ? " byte>" : " bytes>")
    }
  }

  /// Of a list, how many rows came, went and changed: `+1 -0 ~2 of 10`; and of a part of a longer sequence,
  /// which: `rows 20-29 of 10000`.
  private mutating func add(_ changes: ListChanges, _ contract: Contract) {
    guard changes.areSound(contract) else { return }
    var (added, removed, changed, index) = (0, 0, 0, 0)
    while index < changes.count {
      let change = changes[index]
      switch change.kind {
      case .reset, .insert: added &+= change.count
      case .remove: removed &+= change.count
      case .move, .update: changed &+= change.count
      }
      index &+= 1
    }
    add(changes.isReset ? " =" : " +")
    add(UInt64(added))
    add(" -")
    add(UInt64(removed))
    add(" ~")
    add(UInt64(changed))
    add(" of ")
    add(UInt64(changes.rowCount))
    if changes.window.isPart { add(changes.window) }
  }

  private mutating func add(_ window: ListWindow) {
    if window.count > 0 {
      add(", rows ")
      add(UInt64(window.offset))
      add("-")
      add(UInt64(window.offset &+ window.count &- 1))
    } else {
      add(", no rows")
    }
    add(" of ")
    add(UInt64(window.total))
  }

  private mutating func add(status: Int32) {
    guard let known = Status(rawValue: status) else {
      return Scalar.integer(Int64(status)).withText { add($0) }
    }
    let name = known.name.bytes
    var index = 0
    while index < name.count {
      let letter = name[index]
      add(byte: letter >= 0x41 && letter <= 0x5A ? letter | 0x20 : letter)
      index &+= 1
    }
  }

  /// Adds text on one line: characters that must not be shown are escaped, and long text is cut after a whole
  /// character.
  private mutating func add(escaping text: Bytes, upTo longest: Int = longestPayload) {
    var index = 0
    while index < text.count {
      let scalar = text.lengthOfScalar(at: index)
      let length = max(scalar, 1)
      guard index &+ length <= longest else { return add("…") }
      if let escape = text.escape(at: index, scalar) {
        escape.write { add(byte: $0) }
      } else {
        add(Bytes(text.start + index, length))
      }
      index &+= length
    }
  }

  @_optimize(speed)
  private mutating func add(_ number: UInt64) {
    var divisor: UInt64 = 1
    while number / divisor >= 10 { divisor &*= 10 }
    while divisor > 0 {
      add(byte: UInt8(truncatingIfNeeded: 0x30 &+ number / divisor % 10))
      divisor /= 10
    }
  }

  @inline(never)
  private mutating func add(_ text: Phrase) { add(text.bytes) }

  @_optimize(speed)
  private mutating func add(_ bytes: Bytes) {
    var index = 0
    while index < bytes.count {
      add(byte: bytes[index])
      index &+= 1
    }
  }

  private mutating func add(byte: UInt8) {
    if length &+ 1 < capacity { buffer?[length] = CChar(bitPattern: byte) }
    length &+= 1
  }

  private mutating func end() {
    guard capacity > 0 else { return }
    buffer?[min(length, capacity &- 1)] = 0
  }
}

extension ErrorValue {
  /// What a line shows of an error.
  fileprivate var shown: Bytes { message.count > 0 ? message : text }
}
