// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// What the events of a type carry, and where they belong: `mainstem_contract` in the header.
///
/// The size is in the low 32 bits, followed by payload, role, layer, record and secrecy.
package struct Contract: Equatable {
  package let bits: UInt64

  package init(bits: UInt64) { self.bits = bits }

  package enum Payload: UInt64 {
    case none = 0
    case bytes = 1
    case text = 2
    case json = 3
    case structure = 4
    case bool = 5
    case integer = 6
    case number = 7
  }

  package enum Role: UInt64 {
    case request = 1
    case response = 2
    case notice = 3
    case value = 4
  }

  /// What a journal keeps of an event.
  package enum Record: UInt64 {
    case full = 0
    case mark = 1
    case none = 2
    case inputs = 3
  }

  package var payload: Payload? { Payload(rawValue: bits >> 32 & 0xF) }
  package var role: Role? { Role(rawValue: bits >> 36 & 0xF) }
  /// Whether its role is value.
  @inline(__always)
  package var isValue: Bool { bits >> 36 & 0xF == Role.value.rawValue }
  /// Whether it is a list, whose rows have the payload.
  @inline(__always)
  package var isList: Bool { bits & Contract.listBit != 0 }
  package var layer: UInt32 { UInt32(truncatingIfNeeded: bits >> 40 & 0x3F) }
  /// Nothing but the layer.
  package var layerBits: UInt64 { bits & 0x3F << 40 }
  /// The same contract in another layer.
  package func moved(to layer: UInt32) -> Contract {
    Contract(bits: bits & ~(0x3F << 40) | UInt64(layer & 0x3F) << 40)
  }

  /// The size in a contract: that of a struct.
  private var givenSize: Int { Int(bits & 0xFFFF_FFFF) }

  /// The size of each payload; nil: they differ, or there is none.
  @inline(__always)
  private var exactSize: Int? {
    switch payload {
    case .structure: givenSize
    case .bool: MemoryLayout<Bool>.size
    case .integer, .number: MemoryLayout<Int64>.size
    default: nil
    }
  }

  /// Kinds of payload.
  package struct Payloads {
    private let bits: UInt32

    private init(_ one: Payload, _ other: Payload? = nil) {
      bits = 1 << UInt32(one.rawValue) | 1 << UInt32((other ?? one).rawValue)
    }
    private init(bits: UInt32) { self.bits = bits }

    package static var all: Payloads { Payloads(bits: .max) }
    package static var bool: Payloads { Payloads(.bool) }
    package static var integer: Payloads { Payloads(.integer) }
    package static var number: Payloads { Payloads(.number) }
    package static var text: Payloads { Payloads(.text, .json) }

    package var isAll: Bool { bits == .max }

    /// Whether a contract has one of them.
    @inline(__always)
    package func fit(_ contract: Contract) -> Bool {
      bits == .max || bits &>> UInt32(truncatingIfNeeded: contract.bits >> 32 & 0xF) & 1 != 0
    }
  }

  /// Whether both have payloads of the same kind and, of a struct, of the same size.
  package func hasSamePayload(as other: Contract) -> Bool {
    (bits ^ other.bits) & 0xF_FFFF_FFFF == 0
  }

  package var isSecret: Bool { bits & Contract.secretBit != 0 }

  /// What a contract contributes to each event's flags: MAINSTEM_EVENT_SECRET.
  @inline(__always)
  package var flags: UInt32 { UInt32(truncatingIfNeeded: bits >> 43) & 128 }

  /// What a journal keeps; of a secret never more than a mark.
  package var recordMode: Record {
    let said = Record(rawValue: bits >> 48 & 0x3) ?? .none
    return isSecret && said != .none ? .mark : said
  }

  /// Whether both say the same, with or without what a journal keeps.
  package func means(_ other: Contract, whatIsKept: Bool) -> Bool {
    (bits ^ other.bits) & (whatIsKept ? ~0 : ~(0x3 &<< 48)) == 0
  }

  /// Whether no journal keeps the time of such an event.
  package var keepsNoTime: Bool { isSecret || recordMode == .none }
}

extension Contract {
  /// A contract that a host gave for a name: checked, and with the role that the name implies.
  package init(checking bits: UInt64, for name: Bytes, layers: UInt32) throws(Refusal) {
    let given = Contract(bits: bits)
    guard let payload = given.payload, bits & Contract.unused == 0,
      Record(rawValue: bits >> 48 & 0x3) != nil
    else {
      throw Refusal(.invalid, "contract", "is not a valid contract")
    }
    guard payload == .structure || given.givenSize == 0 else {
      throw Refusal(.invalid, "contract", "has a size, but its payload is not a struct")
    }
    guard given.layer < layers else {
      throw Refusal(.invalid, "contract", "is not a registered layer", .number(UInt64(given.layer)))
    }
    if bits >> 36 & 0xF == 0 {
      self.init(bits: bits | Contract.role(of: name).rawValue << 36)
    } else if given.role != nil {
      self = given
    } else {
      throw Refusal(.invalid, "contract", "has an unknown role")
    }
    if isValue { try demandValue(name) }
    if isList { try demandList(name) }
  }

  /// Refuses a list that is no value, or whose rows could have nothing.
  private func demandList(_ name: Bytes) throws(Refusal) {
    guard isValue else {
      throw Refusal(
        .invalid, "contract", "is a list and not a value: add MAINSTEM_ROLE_VALUE", .name(name))
    }
    guard payload != Contract.Payload.none else {
      throw Refusal(
        .invalid, "contract", "is a list without a payload: say what its rows carry", .name(name))
    }
  }

  /// Refuses a value that nobody could keep or show.
  private func demandValue(_ name: Bytes) throws(Refusal) {
    guard !isSecret else {
      throw Refusal(
        .invalid, "contract", "is a value, which is kept, and a secret: send it as a notice",
        .name(name))
    }
    guard Contract.role(of: name) == .notice else {
      throw Refusal(
        .invalid, "name", "is the name of a request or a response: a value needs another",
        .name(name))
    }
  }

  private static var secretBit: UInt64 { 1 << 50 }

  private static var listBit: UInt64 { 1 << 51 }

  /// Bits without a meaning yet.
  private static var unused: UInt64 { ~(1 << 52 &- 1) | 0x3 << 46 }

  private static func role(of name: Bytes) -> Role {
    if name.hasPrefix("Request") { return .request }
    if name.hasPrefix("Response") { return .response }
    return .notice
  }

  /// The payload sizes that need no further check if there is a pointer: `count` of them, from `least` on.
  package func plainSizes(upTo most: UInt) -> (least: UInt, count: UInt) {
    guard !isSecret, !isList else { return (0, 0) }
    if payload == .bytes { return (0, most &+ 1) }
    guard let size = exactSize, payload != .bool, UInt(size) <= most else { return (0, 0) }
    return (UInt(size), 1)
  }

  /// The payload of an event in the usual case: it has the right form, the type is registered and not a secret, and
  /// there is a pointer. Nil: a closer check is needed. The stream decides how long a payload may be.
  @inline(never)
  package func admitted(_ data: UnsafeRawPointer?, _ size: Int) -> UnsafeRawPointer? {
    // A contract that exists has bits: it always includes a role.
    switch bits >> 32 & (0xF | (Contract.secretBit | Contract.listBit) >> 32) {
    case Payload.bytes.rawValue:
      return data
    case Payload.structure.rawValue, Payload.bool.rawValue, Payload.integer.rawValue,
      Payload.number.rawValue:
      guard isExact(data, size) else { return nil }
      return data
    case Payload.none.rawValue:
      guard size == 0, bits != 0 else { return nil }
      return data ?? Draft.nothing
    case Payload.text.rawValue, Payload.json.rawValue:
      guard let data, Contract.isText(data, size) else { return nil }
      return data
    default:
      return nil
    }
  }

  /// Whether a payload has the right form. Nobody sends that of a list: `mainstem_list_set` does.
  @inline(__always)
  package func admits(_ data: UnsafeRawPointer?, _ size: Int) -> Bool {
    !isList && rowAdmits(data, size)
  }

  /// Whether the payload of a list's row has the right form, or that of any other event.
  @inline(__always)
  package func rowAdmits(_ data: UnsafeRawPointer?, _ size: Int) -> Bool {
    switch bits >> 32 & 0xF {
    case Payload.bytes.rawValue: size == 0 || data != nil
    case Payload.none.rawValue: size == 0
    case Payload.text.rawValue, Payload.json.rawValue: Contract.isText(data, size)
    default: isExact(data, size)
    }
  }

  /// Whether a struct or a scalar has its size, and a BOOL is 0 or 1.
  @inline(never)
  private func isExact(_ data: UnsafeRawPointer?, _ size: Int) -> Bool {
    guard size == exactSize else { return false }
    guard let data else { return size == 0 }
    return payload != .bool || data.load(as: UInt8.self) <= 1
  }

  @inline(never)
  private static func isText(_ data: UnsafeRawPointer?, _ size: Int) -> Bool {
    guard let data else { return size == 0 }
    return Bytes(data, size).isUTF8
  }

  /// Why `admits` refused a payload of a type with this name.
  package func refusal(_ name: Bytes, _ data: UnsafeRawPointer?, _ size: Int) -> Refusal {
    guard !isList else {
      return Refusal(
        .invalid, "type", "is a list: call mainstem_list_set", .name(name))
    }
    return rowRefusal(name, data, size)
  }

  /// Why `rowAdmits` refused it.
  package func rowRefusal(_ name: Bytes, _ data: UnsafeRawPointer?, _ size: Int) -> Refusal {
    var subject = SubjectWriter()
    subject.add(name)
    switch payload {
    case .some(.none), nil:
      return Refusal(
        .invalid, "size", "carries no payload: pass NULL and 0", .name(subject.bytes))
    case _ where exactSize != nil && size != exactSize:
      subject.add(" carries ")
      subject.add(UInt64(exactSize ?? 0))
      subject.add(" bytes")
      // The size of a secret is a secret too.
      if !isSecret {
        subject.add(", not ")
        subject.add(UInt64(UInt(bitPattern: size)))
      }
      subject.add(":")
      return Refusal(
        .invalid, "size", "pass the value its contract was made for", .name(subject.bytes))
    case _ where data == nil:
      return Refusal(.invalid, "data", "is NULL, but size is not 0: pass both, or neither")
    case .bool:
      return Refusal(
        .invalid, "data", "carries a BOOL, and this is neither 0 nor 1", .name(subject.bytes))
    default:
      return Refusal(
        .invalid, "data", "carries text, and this is not UTF-8: use MAINSTEM_PAYLOAD_BYTES",
        .name(subject.bytes))
    }
  }
}

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
    return isValue && !isList && Payloads.text.fit(self)
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
