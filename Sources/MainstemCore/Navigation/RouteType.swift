// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A type that the app has added. They are in a list, the last one first.
struct AppType {
  let name: Name
  let accepts: mainstem_route_type_fn
  let userData: UnsafeMutableRawPointer?
  let release: mainstem_release_fn?
  let next: Pointer?

  typealias Pointer = UnsafeMutablePointer<AppType>
}

/// What a segment of a pattern matches.
enum RouteType {
  case literal
  case uuid
  case int
  case float
  case app(AppType.Pointer)
  case any
  case path

  /// The type of a name; nil: it is the app's, if it is one at all.
  init?(name: Bytes) {
    if name == Bytes("string") || name.count == 0 {
      self = .any
    } else if name == Bytes("int") {
      self = .int
    } else if name == Bytes("float") {
      self = .float
    } else if name == Bytes("uuid") {
      self = .uuid
    } else if name == Bytes("path") {
      self = .path
    } else {
      return nil
    }
  }

  /// What wins comes first.
  var rank: Int {
    switch self {
    case .literal: 0
    case .uuid: 3
    case .int: 4
    case .float: 5
    case .app: 6
    case .any: 7
    case .path: 8
    }
  }

  /// The number that the header gives it.
  var number: UInt32 {
    let number =
      switch self {
      case .literal, .any: MAINSTEM_PARAMETER_STRING
      case .int: MAINSTEM_PARAMETER_INTEGER
      case .float: MAINSTEM_PARAMETER_NUMBER
      case .uuid: MAINSTEM_PARAMETER_UUID
      case .app: MAINSTEM_PARAMETER_APP
      case .path: MAINSTEM_PARAMETER_PATH
      }
    return UInt32(number)
  }

  var isLiteral: Bool { rank == 0 }
  var isPath: Bool { rank == 8 }

  /// Whether it accepts a text, of one byte at least.
  func accepts(_ text: Bytes) -> Bool {
    switch self {
    case .literal, .any, .path: true
    case .int: text.integer != nil
    case .float: text.number != nil
    case .uuid: text.isUUID
    case .app(let type):
      type.pointee.accepts(
        type.pointee.userData, text.start.assumingMemoryBound(to: CChar.self), text.count)
    }
  }
}

extension Bytes {
  /// The integer that is written here: a sign if it is negative, and up to 19 digits.
  package var integer: Int64? {
    let isNegative = count > 0 && self[0] == 0x2D
    var index = isNegative ? 1 : 0
    guard count > index, count &- index <= 19 else { return nil }
    var unsigned: UInt64 = 0
    while index < count {
      let digit = self[index] &- 0x30
      guard digit < 10 else { return nil }
      unsigned = unsigned &* 10 &+ UInt64(digit)
      index &+= 1
    }
    guard unsigned <= UInt64(Int64.max) &+ (isNegative ? 1 : 0) else { return nil }
    return Int64(truncatingIfNeeded: isNegative ? 0 &- unsigned : unsigned)
  }

  /// The number that is written here.
  package var number: Double? {
    var number = 0.0
    guard mainstem_p_read_number(start.assumingMemoryBound(to: CChar.self), count, &number) else {
      return nil
    }
    return number
  }

  fileprivate var isUUID: Bool {
    guard count == 36 else { return false }
    var index = 0
    while index < count {
      let isDash = index == 8 || index == 13 || index == 18 || index == 23
      guard isDash ? self[index] == 0x2D : Bytes.digit(self[index]) < 16 else { return false }
      index &+= 1
    }
    return true
  }

  /// The value of a hexadecimal digit; 16: it is none.
  static func digit(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x30...0x39: byte &- 0x30
    case 0x41...0x46: byte &- 0x37
    case 0x61...0x66: byte &- 0x57
    default: 16
    }
  }
}
