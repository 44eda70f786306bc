// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// The one value that an event of a scalar contract carries.
package enum Scalar {
  case bool(Bool)
  case integer(Int64)
  case number(Double)

  /// Nil: a payload of another kind, or, from a damaged journal, of another size.
  package init?(of payload: Bytes, _ kind: Contract.Payload?) {
    switch (kind, payload.count) {
    case (.bool, 1): self = .bool(payload[0] != 0)
    case (.integer, 8): self = .integer(payload.start.loadUnaligned(as: Int64.self))
    case (.number, 8): self = .number(payload.start.loadUnaligned(as: Double.self))
    default: return nil
    }
  }

  /// The scalar that an event carries; nil: it carries something else, an error, or nothing, as a mark does.
  package init?(of event: UnsafePointer<mainstem_event>, _ contract: Contract) {
    let other = UInt32(MAINSTEM_EVENT_MARKED | MAINSTEM_EVENT_WITHHELD | MAINSTEM_EVENT_GAP)
    guard event.pointee.status == 0, event.pointee.flags & other == 0 else { return nil }
    self.init(of: Bytes(event.pointee.data, Int(event.pointee.size)), contract.payload)
  }
}

extension Contract {
  /// Whether an event of this contract has a payload that is text and ends with a zero byte.
  package func isText(_ event: UnsafePointer<mainstem_event>) -> Bool {
    let other = UInt32(MAINSTEM_EVENT_MARKED | MAINSTEM_EVENT_WITHHELD | MAINSTEM_EVENT_GAP)
    guard event.pointee.status == 0, event.pointee.flags & other == 0 else { return false }
    return isValue && Payloads.text.fit(self)
  }
}

/// As C converts, except that a number beyond the range of `int64_t` becomes the nearest one in it, and NaN 0.
extension Scalar {
  package var bool: Bool {
    switch self {
    case .bool(let isTrue): isTrue
    case .integer(let number): number != 0
    case .number(let number): number != 0
    }
  }

  package var integer: Int64 {
    switch self {
    case .bool(let isTrue): return isTrue ? 1 : 0
    case .integer(let number): return number
    case .number(let number):
      // 2^63 is the first that does not fit; every double below it does.
      if number >= 0x1p63 { return .max }
      if number < -0x1p63 { return .min }
      return number == number ? Int64(number) : 0
    }
  }

  package var number: Double {
    switch self {
    case .bool(let isTrue): isTrue ? 1 : 0
    case .integer(let number): Double(number)
    case .number(let number): number
    }
  }
}

extension Scalar {
  /// Passes what lines show of it: `true`, `42`, `0.5`.
  @inline(never)
  package func withText(_ body: (Bytes) -> Void) {
    switch self {
    case .bool(let isTrue): body(Bytes(isTrue ? "true" : "false"))
    case .integer(let number): Scalar.withText(of: number, body)
    case .number(let number):
      withUnsafeTemporaryAllocation(byteCount: Int(MAINSTEM_P_NUMBER_CAPACITY), alignment: 1) {
        let text = $0.baseAddress.unsafelyUnwrapped
        let length = mainstem_p_write_number(text.assumingMemoryBound(to: CChar.self), number)
        body(Bytes(UnsafeRawPointer(text), length))
      }
    }
  }

  private static func withText(of number: Int64, _ body: (Bytes) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) {
      let text = $0.baseAddress.unsafelyUnwrapped
      var (first, rest) = (20, number.magnitude)
      repeat {
        first &-= 1
        text.storeBytes(
          of: UInt8(truncatingIfNeeded: 0x30 &+ rest % 10), toByteOffset: first, as: UInt8.self)
        rest /= 10
      } while rest > 0
      if number < 0 {
        first &-= 1
        text.storeBytes(of: 0x2D, toByteOffset: first, as: UInt8.self)
      }
      body(Bytes(UnsafeRawPointer(text + first), 20 &- first))
    }
  }
}
