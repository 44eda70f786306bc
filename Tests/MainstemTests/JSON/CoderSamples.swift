// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Everything a field may be.
struct Sample: Codable, Equatable, Sendable {
  enum Color: String, Codable, CaseIterable { case red, green, blue = "the blue one" }
  enum Shape: Codable, Equatable { case point, circle(radius: Double), line(Int, Int) }
  struct Inner: Codable, Equatable {
    var zeta: Int?
    var alpha: String
    var nested: [Inner]
    var mid_key = 1.5
  }

  var title: String
  var count: Int
  var small: Int8
  var wide: UInt64
  var ratio: Double
  var single: Float
  var isDone: Bool
  var note: String?
  var color: Color
  var shape: Shape
  var inner: Inner?
  var numbers: [Int]
  var reals: [Double]
  var words: [String: Int]
  var byNumber: [Int: String]
  var grid: [[Bool]]
  var blob: Data
  var address: URL?
  var maybe: [String?]
  var any: Loose
}

/// A value of no fixed type, decoded by trying; its coding is by hand.
indirect enum Loose: Codable, Equatable, Sendable {
  case null, bool(Bool), int(Int), real(Double), text(String), list([Loose]), object(
    [String: Loose])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .real(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([Loose].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: Loose].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .real(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

/// Coded by hand, with containers in turns, a key twice, nothing at all, a superclass.
struct ByHand: Codable, Equatable {
  enum Keys: String, CodingKey { case b, a, list, twice, odd = "k\"ey ü" }
  var way: Int
  var value: Int

  init(way: Int, value: Int) { (self.way, self.value) = (way, value) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    value = try container.decodeIfPresent(Int.self, forKey: .a) ?? 0
    way = container.contains(.list) ? 1 : 0
    if container.contains(.b) {
      let nested = try container.nestedContainer(keyedBy: Keys.self, forKey: .b)
      value += nested.allKeys.count
      _ = try nested.superDecoder(forKey: .a)
    }
  }

  func encode(to encoder: any Encoder) throws {
    if way == 0 { return }
    var container = encoder.container(keyedBy: Keys.self)
    var list = container.nestedUnkeyedContainer(forKey: .list)
    try list.encode(value)
    if way > 1 {
      var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .b)
      try list.encode(way)
      try nested.encode(value, forKey: .b)
      try container.encode(value, forKey: .a)
      try nested.encode("x", forKey: .a)
      var deep = list.nestedContainer(keyedBy: Keys.self)
      try deep.encodeNil(forKey: .a)
    }
    if way == 3 { try value.encode(to: container.superEncoder(forKey: .odd)) }
    if way == 4 { try container.encode(value, forKey: .odd) }
    if way == 5 {
      try container.encode(value, forKey: .twice)
      try container.encode("again", forKey: .twice)
    }
    if way == 6 { try? container.encode([1, Double.nan], forKey: .twice) }
    if way == 7 { try container.encode(Double.infinity, forKey: .twice) }
  }
}

extension Chances {
  mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

  mutating func text() -> String {
    let parts = [
      "", "a", "Milk", "naïve 日本 👩‍👩‍👧", "a/b\\c\"d", "\u{0}\u{1f}\u{8}\t\n\r\u{c}", "é", "e\u{301}",
      "\u{2028}",
      "title", "0", "\u{7f}", "long enough not to be small",
    ]
    return (0..<Int.random(in: 0...3, using: &self)).map { _ in
      parts.randomElement(using: &self) ?? ""
    }.joined()
  }

  mutating func real() -> Double {
    switch Int.random(in: 0..<9, using: &self) {
    case 0: 0
    case 1: -0.0
    case 2: Double(Int.random(in: -1000...1000, using: &self))
    case 3: Double(Int.random(in: -100_000...100_000, using: &self)) / 1000
    case 4: Double(Int64.random(in: .min ... .max, using: &self))
    case 5: one(in: 20) ? .nan : 1e300
    case 6: Double.random(in: 0...1, using: &self)
    case 7: decimals()
    default:
      Double(bitPattern: next()).isFinite
        ? Double(bitPattern: next() & 0x7fef_ffff_ffff_ffff) : .leastNonzeroMagnitude
    }
  }

  /// A number with few decimals, or the one next to it.
  mutating func decimals() -> Double {
    let places: Double = [1, 10, 100, 1000, 10_000, 100_000, 1e6].randomElement(using: &self) ?? 1
    let bound: Int = [100, 1_000_000, 1_000_000_000_000_000].randomElement(using: &self) ?? 1
    let value = Double(Int.random(in: -bound...bound, using: &self)) / places
    return one(in: 4) ? value.nextUp : value
  }

  mutating func integer() -> Int {
    one(in: 2)
      ? Int.random(in: -100...100, using: &self) : Int.random(in: .min ... .max, using: &self)
  }

  mutating func loose(_ depth: Int = 3) -> Loose {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &self) {
    case 0: .null
    case 1: .bool(one(in: 2))
    case 2: .int(integer())
    case 3: .real(real())
    case 4: .text(text())
    case 5: .list((0..<Int.random(in: 0...4, using: &self)).map { _ in loose(depth - 1) })
    default:
      .object(
        [String: Loose](
          (0..<Int.random(in: 0...30, using: &self)).map { _ in (text(), loose(depth - 3)) },
          uniquingKeysWith: { $1 }))
    }
  }

  mutating func inner(_ depth: Int = 3) -> Sample.Inner {
    let nested = depth > 0 ? Int.random(in: 0...2, using: &self) : 0
    return Sample.Inner(
      zeta: one(in: 2) ? integer() : nil, alpha: text(),
      nested: (0..<nested).map { _ in inner(depth - 1) }, mid_key: Double(integer() % 7) / 2)
  }

  mutating func sample() -> Sample {
    let few = Int.random(in: 0...5, using: &self)
    return Sample(
      title: text(), count: integer(), small: Int8.random(in: .min ... .max, using: &self),
      wide: next(), ratio: real(), single: Float(bitPattern: UInt32(next() & 0x7f7f_ffff)),
      isDone: one(in: 2), note: one(in: 2) ? nil : text(),
      color: Sample.Color.allCases.randomElement(using: &self) ?? .red,
      shape: one(in: 3) ? .point : one(in: 2) ? .circle(radius: 1.25) : .line(1, integer()),
      inner: one(in: 3) ? nil : inner(), numbers: (0..<few).map { _ in integer() },
      reals: (0..<few).map { _ in Double(integer() % 1000) / 8 },
      words: [String: Int](
        (0..<few).map { _ in (text(), integer()) }, uniquingKeysWith: { $1 }),
      byNumber: [Int: String](
        (0..<few * 8).map { _ in (integer(), text()) }, uniquingKeysWith: { $1 }),
      grid: [[one(in: 2)], [], [true]],
      blob: Data((0..<few * 3).map { _ in UInt8(truncatingIfNeeded: next()) }),
      address: one(in: 2) ? nil : URL(string: "https://example.org/a?b=\(next())"),
      maybe: [nil, text()], any: loose())
  }
}
