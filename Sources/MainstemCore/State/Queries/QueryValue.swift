// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A value that queries compare, as SQLite does: null, then numbers, then texts.
enum QueryValue {
  case null
  case integer(Int64)
  case double(Double)
  /// UTF-8, without escapes.
  case text(Bytes)

  static func truth(_ value: Bool) -> QueryValue { .integer(value ? 1 : 0) }

  /// A number as JSON has it; nil: it fits neither 64 bits nor a double.
  @inline(never)
  init?(number digits: Bytes) {
    if let integer = QueryValue.integer(digits) {
      self = .integer(integer)
      return
    }
    var double = 0.0
    guard
      mainstem_p_read_number(
        digits.start.assumingMemoryBound(to: CChar.self), digits.count, &double)
    else { return nil }
    self = .double(double)
  }

  private static func integer(_ digits: Bytes) -> Int64? {
    let isNegative = digits.count > 0 && digits[0] == 0x2D
    var index = isNegative ? 1 : 0
    var number: Int64 = 0
    while index < digits.count {
      let digit = digits[index] &- 0x30
      let (tens, isOver) = number.multipliedReportingOverflow(by: 10)
      // Below 0, where there is one more.
      let (sum, isTooMuch) = tens.subtractingReportingOverflow(Int64(digit))
      guard digit < 10, !isOver, !isTooMuch else { return nil }
      number = sum
      index &+= 1
    }
    return isNegative ? number : number == .min ? nil : 0 &- number
  }

  var isText: Bool { if case .text = self { true } else { false } }
  var isNull: Bool { if case .null = self { true } else { false } }

  /// Whether it is a number other than 0.
  var isTrue: Bool {
    switch self {
    case .integer(let number): number != 0
    case .double(let number): number != 0
    default: false
    }
  }
}

extension QueryValue {
  /// Below 0: the first value comes first; above 0: the other one; 0: they are equal.
  @_optimize(speed)
  @inline(never)
  static func order(_ one: QueryValue, _ other: QueryValue) -> Int {
    switch (one, other) {
    case (.integer(let one), .integer(let other)): one < other ? -1 : one > other ? 1 : 0
    case (.double(let one), .double(let other)): one < other ? -1 : one > other ? 1 : 0
    case (.integer(let one), .double(let other)): order(one, other)
    case (.double(let one), .integer(let other)): 0 &- order(other, one)
    case (.text(let one), .text(let other)): order(one, other)
    default: one.rank &- other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .double: 1
    case .text: 2
    }
  }

  /// Exactly: not every integer is a double.
  private static func order(_ integer: Int64, _ double: Double) -> Int {
    guard double >= -0x1p63, double < 0x1p63 else { return double < 0 ? 1 : -1 }
    let whole = Int64(double)
    guard integer == whole else { return integer < whole ? -1 : 1 }
    let rest = double - Double(whole)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
  }

  private static func order(_ one: Bytes, _ other: Bytes) -> Int {
    let found = Int(mainstem_p_order(one.start, other.start, min(one.count, other.count)))
    return found != 0 ? found : one.count &- other.count
  }
}

/// Values in order, in memory of its own.
struct Growing<Element: BitwiseCopyable> {
  private var memory: UnsafeMutableRawPointer?
  private(set) var count = 0
  private var capacity = 0

  @inline(__always)
  subscript(index: Int) -> Element {
    get { memory.unsafelyUnwrapped.load(fromByteOffset: index &* Self.stride, as: Element.self) }
    nonmutating set {
      memory.unsafelyUnwrapped.storeBytes(
        of: newValue, toByteOffset: index &* Self.stride, as: Element.self)
    }
  }

  private static var stride: Int { MemoryLayout<Element>.stride }

  mutating func append(_ element: Element) throws(Refusal) {
    if count == capacity {
      try Memory.widen(&memory, &capacity, Self.stride)
    }
    count &+= 1
    self[count &- 1] = element
  }

  mutating func removeAll() { count = 0 }

  func free() { Memory.free(memory) }
}

extension Memory {
  /// Doubles the room for values of a size.
  @inline(never)
  fileprivate static func widen(
    _ memory: inout UnsafeMutableRawPointer?, _ capacity: inout Int, _ stride: Int
  ) throws(Refusal) {
    let wider = max(capacity &* 2, 8)
    guard let fresh = mainstem_p_allocate(wider &* stride) else { throw .noMemory }
    if let memory { fresh.copyMemory(from: memory, byteCount: capacity &* stride) }
    Memory.free(memory)
    (memory, capacity) = (fresh, wider)
  }
}

/// Memory for texts, which is taken piece by piece and given back from a mark on.
struct TextArena {
  fileprivate struct Piece {
    let before: UnsafeMutablePointer<Piece>?
    let capacity: Int
  }

  struct Mark {
    fileprivate var piece: UnsafeMutablePointer<Piece>?
    fileprivate var used: Int
  }

  private(set) var mark = Mark(piece: nil, used: 0)

  /// Room for so many bytes.
  @inline(never)
  mutating func take(_ count: Int) throws(Refusal) -> UnsafeMutableRawPointer {
    if mark.piece.map({ $0.pointee.capacity &- mark.used < count }) ?? true {
      let capacity = max(count, 4096)
      let size = MemoryLayout<Piece>.stride
      guard let memory = mainstem_p_allocate(size &+ capacity) else { throw .noMemory }
      let piece = memory.bindMemory(to: Piece.self, capacity: 1)
      piece.initialize(to: Piece(before: mark.piece, capacity: capacity))
      mark = Mark(piece: piece, used: 0)
    }
    defer { mark.used &+= count }
    return UnsafeMutableRawPointer(mark.piece.unsafelyUnwrapped + 1) + mark.used
  }

  /// Gives back what was taken since a mark.
  @inline(never)
  mutating func reset(to mark: Mark) {
    while let piece = self.mark.piece, piece != mark.piece {
      self.mark.piece = piece.pointee.before
      Memory.free(piece)
    }
    self.mark = mark
  }

  mutating func free() { reset(to: Mark(piece: nil, used: 0)) }
}

extension TextArena {
  /// A text of JSON without its escapes; nil: it has an escape that JSON does not have.
  mutating func unescape(_ text: Bytes) throws(Refusal) -> Bytes? {
    var index = 0
    while index < text.count, text[index] != 0x5C { index &+= 1 }
    guard index < text.count else { return text }
    let room = try take(text.count &+ 1)
    return text.unescape(to: room).map { Bytes(room, $0) }
  }

  /// A text in lower case: A to Z only.
  @_optimize(speed)
  mutating func lower(_ text: Bytes) throws(Refusal) -> Bytes {
    let room = try take(text.count)
    var index = 0
    while index < text.count {
      let byte = text[index]
      room.storeBytes(
        of: byte &- 0x41 < 26 ? byte | 0x20 : byte, toByteOffset: index, as: UInt8.self)
      index &+= 1
    }
    return Bytes(room, text.count)
  }
}
