// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a segment of a pattern looks like, whatever the name of its placeholder.
struct Shape {
  /// The literal text, or what is before the placeholder.
  let prefix: Bytes
  let suffix: Bytes
  let type: RouteType

  /// The classes of segments, in the order in which they win.
  private var rank: Int {
    guard !type.isLiteral, prefix.count &+ suffix.count > 0 else { return type.rank }
    return type.rank < RouteType.any.rank ? 1 : 2
  }

  /// Below 0: it wins against another; 0: it is the same.
  ///
  /// - Parameter folding: Whether ASCII letters are compared without regard to case.
  func order(_ other: Shape, folding: Bool) -> Int {
    let length = prefix.count &+ suffix.count
    let otherLength = other.prefix.count &+ other.suffix.count
    var order = rank &- other.rank
    if order == 0, !type.isLiteral {
      order = otherLength &- length
      if order == 0 { order = other.prefix.count &- prefix.count }
      if order == 0 { order = type.rank &- other.type.rank }
      if order == 0, case .app(let one) = type, case .app(let two) = other.type {
        order = one.pointee.name.bytes.order(two.pointee.name.bytes, folding: false)
      }
    }
    if order == 0 { order = prefix.order(other.prefix, folding: folding) }
    return order == 0 ? suffix.order(other.suffix, folding: folding) : order
  }

  /// What the placeholder matches in a segment; nil: the segment does not match.
  @inline(never)
  func matched(_ text: Bytes, folding: Bool) -> Bytes? {
    let end = text.count &- suffix.count
    guard end > prefix.count,
      text.part(0, prefix.count).order(prefix, folding: folding) == 0,
      text.part(end, text.count).order(suffix, folding: folding) == 0
    else { return nil }
    return text.part(prefix.count, end)
  }
}

extension Bytes {
  /// Below 0: these bytes come before others; 0: they are the same.
  @inline(never)
  func order(_ other: Bytes, folding: Bool) -> Int {
    var index = 0
    while index < count, index < other.count {
      let difference =
        Int(folding ? Bytes.folded(self[index]) : self[index])
        &- Int(folding ? Bytes.folded(other[index]) : other[index])
      guard difference == 0 else { return difference }
      index &+= 1
    }
    return count &- other.count
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }
}
