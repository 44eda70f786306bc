// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Mainstem
import Testing

/// What has no order but that of its hashes, at all depths.
private struct Unordered: Codable, Equatable {
  struct Place: Codable, Hashable {
    var row: Int
    var name: String
  }

  var words: Set<String>
  var numbers: Set<Int>
  var real: Set<Double>
  var places: Set<Place>
  var sets: Set<Set<Int>>
  var byPlace: [Place: Set<String>]
  var byReal: [Double: [Double: Int]]
  var byUUID: [UUID: Int]
  var lists: [[Set<Int>]]
  var maybe: Set<Int?>
  var loose: [String: Set<String>]
}

extension Chances {
  /// The same elements come in another order where there is more room for them.
  fileprivate mutating func set<Element: Hashable>(
    roomy: Bool, _ make: (inout Chances) -> Element
  ) -> Set<Element> {
    var set = Set<Element>()
    let elements = (0..<Int.random(in: 0...9, using: &self)).map { _ in make(&self) }
    if roomy { set.reserveCapacity(300) }
    for element in roomy ? elements.reversed() : elements { set.insert(element) }
    return set
  }

  fileprivate mutating func map<Key: Hashable, Value>(
    roomy: Bool, _ key: (inout Chances) -> Key, _ value: (inout Chances) -> Value
  ) -> [Key: Value] {
    var map = [Key: Value]()
    if roomy { map.reserveCapacity(300) }
    var pairs: [(Key, Value)] = []
    for _ in 0..<Int.random(in: 0...9, using: &self) {
      let pair = (key(&self), value(&self))
      if !pairs.contains(where: { $0.0 == pair.0 }) { pairs.append(pair) }
    }
    for (key, value) in roomy ? pairs.reversed() : pairs { map[key] = value }
    return map
  }

  /// No two of them are equal with other bytes, as texts may be.
  fileprivate mutating func word() -> String { "\(few()) é\"/" }

  fileprivate mutating func few() -> Int { Int.random(in: -30...30, using: &self) }

  fileprivate mutating func place() -> Unordered.Place { .init(row: few(), name: word()) }

  fileprivate mutating func uuid() -> UUID {
    let (one, two) = (next(), next())
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: one >> ($0 * 8)) }
    let more = (0..<8).map { UInt8(truncatingIfNeeded: two >> ($0 * 8)) }
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
        more[0], more[1], more[2], more[3], more[4], more[5], more[6], more[7]
      ))
  }

  fileprivate mutating func unordered(roomy: Bool) -> Unordered {
    Unordered(
      words: set(roomy: roomy) { $0.word() }, numbers: set(roomy: roomy) { $0.few() },
      real: set(roomy: roomy) { Double($0.few()) / 8 },
      places: set(roomy: roomy) { $0.place() },
      sets: set(roomy: roomy) { $0.set(roomy: roomy) { $0.few() } },
      byPlace: map(roomy: roomy, { $0.place() }, { $0.set(roomy: roomy) { $0.word() } }),
      byReal: map(
        roomy: roomy, { Double($0.few()) },
        { $0.map(roomy: roomy, { Double($0.few()) }, { $0.few() }) }),
      byUUID: map(roomy: roomy, { $0.uuid() }, { $0.few() }),
      lists: [[set(roomy: roomy) { $0.few() }], []],
      maybe: set(roomy: roomy) { $0.one(in: 3) ? nil : $0.few() },
      // A key beyond ASCII goes to Foundation's encoder, with all that is in the value.
      loose: one(in: 2) ? ["é": set(roomy: roomy) { $0.word() }] : [:])
  }
}

/// The bytes of what has no order, and the forms that all languages share.
@Suite struct WireFormTests {
  private let coder = JSONCoder()

  /// How many values are tried, and what all their bytes come to.
  private static let digests: [UInt64: UInt64] = [
    1000: 6_412_595_012_645_908_188, 10_000: 16_971_627_180_679_498_136,
    100_000: 14_588_834_605_342_801_718,
  ]

  /// More with MAINSTEM_JSON_VALUES in the environment.
  private static let count =
    ProcessInfo.processInfo.environment["MAINSTEM_JSON_VALUES"].flatMap(UInt64.init) ?? 1000

  private func text<Value: Encodable>(_ value: Value) throws -> String {
    String(decoding: try coder.encode(value), as: UTF8.self)
  }

  private func value<Value: Decodable>(_ type: Value.Type = Value.self, _ text: String) throws
    -> Value
  {
    try coder.decode(type, from: Array(text.utf8))
  }

  /// The hashes differ from process to process, so each run of this test is another process that must find the number.
  @Test func `what has no order has the same bytes in each process`() throws {
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    for seed in 0..<WireFormTests.count {
      var (chances, again) = (Chances(seed: seed), Chances(seed: seed))
      let value = chances.unordered(roomy: false)
      let bytes = try coder.encode(value)
      let roomy = again.unordered(roomy: true)
      guard value == roomy, try coder.encode(roomy) == bytes else {
        Issue.record("seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        return
      }
      guard try coder.decode(Unordered.self, from: bytes) == value else {
        Issue.record("seed \(seed) is read as another value")
        return
      }
      for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    guard let known = WireFormTests.digests[WireFormTests.count] else {
      return print("\(WireFormTests.count) values have the digest \(digest)")
    }
    #expect(digest == known)
  }

  @Test func `elements are sorted by their text, pairs by their keys`() throws {
    #expect(try text(Set([10, 9, -1, 100])) == "[-1,10,100,9]")
    #expect(try text(Set(["b", "a", "B"])) == #"["B","a","b"]"#)
    #expect(try text([2.5: "two", 10: "ten"]) == #"[10,"ten",2.5,"two"]"#)
    #expect(try text(["é": Set([2, 1])]) == #"{"é":[1,2]}"#)
    #expect(try text([Set([2, 1])]) == "[[1,2]]")
    #expect(try text([3: "c", 20: "b"]) == #"{"20":"b","3":"c"}"#)
  }

  @Test func `what was written in another order is read`() throws {
    #expect(try value(Set<Int>.self, "[9,10,-1]") == [9, 10, -1])
    #expect(try value([Double: String].self, #"[10,"ten",2.5,"two"]"#) == [2.5: "two", 10: "ten"])
  }

  private func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  @Test func `instants are RFC 3339 in UTC, with as many digits as are needed`() throws {
    #expect(try text(date(0)) == #""1970-01-01T00:00:00Z""#)
    #expect(try text(date(1_795_811_490)) == #""2026-11-27T20:31:30Z""#)
    #expect(try text(date(1_795_811_490.25)) == #""2026-11-27T20:31:30.25Z""#)
    #expect(try text(date(-0.5)) == #""1969-12-31T23:59:59.5Z""#)
    #expect(try text(date(-62_135_596_800)) == #""0001-01-01T00:00:00Z""#)
    #expect(try text(date(253_402_300_799)) == #""9999-12-31T23:59:59Z""#)
    #expect(throws: EncodingError.self) { try text(date(253_402_300_800)) }
    #expect(throws: EncodingError.self) { try text(date(.infinity)) }
    #expect(try value(Date.self, #""2026-11-27T22:31:30.250+02:00""#) == date(1_795_811_490.25))
    #expect(try value(Date.self, #""2024-02-29T00:00:00Z""#) == date(1_709_164_800))
    // What 0.10 wrote: seconds from 2001.
    #expect(try value(Date.self, "1.5") == Date(timeIntervalSinceReferenceDate: 1.5))
    for wrong in [
      "2026-11-27T20:31:60Z", "2026-02-29T00:00:00Z", "2026-11-27T20:31:30", "2026-11-27",
      "2026-11-27t20:31:30Z", "2026-11-27T20:31:30z", "2026-11-27T20:31:30.Z",
      "2026-11-27T24:00:00Z",
      "0000-01-01T00:00:00Z", "2026-11-27T20:31:30+0200", "now",
    ] {
      #expect(throws: DecodingError.self) { try value(Date.self, "\"\(wrong)\"") }
    }
  }

  @Test func `each date is read back as it was`() throws {
    var chances = Chances(seed: 7)
    for _ in 0..<2000 {
      let wide = Double.random(in: -63_000_000_000...252_000_000_000, using: &chances)
      let near = Double.random(in: 0.1...2, using: &chances) * (chances.one(in: 2) ? 1 : -1)
      for time in [wide, near, wide.rounded(), (wide * 1000).rounded() / 1000] {
        let date = Date(timeIntervalSinceReferenceDate: time)
        let text = try text(date)
        guard try value(Date.self, text) == date else {
          Issue.record("\(time) is \(text)")
          return
        }
      }
    }
  }

  @Test func `lengths of time, identities, bytes, decimals and addresses are texts`() throws {
    #expect(try text(Duration.seconds(90)) == #""90s""#)
    #expect(try text(Duration.milliseconds(-250)) == #""-0.25s""#)
    #expect(try text(Duration.zero) == #""0s""#)
    #expect(try value(Duration.self, #""1.50s""#) == .milliseconds(1500))
    #expect(
      try value(Duration.self, "[0,1000]")
        == Duration(secondsComponent: 0, attosecondsComponent: 1000))
    let uuid = "0f8fad5b-d9cb-469f-a165-70867728950e"
    #expect(try text(UUID(uuidString: uuid)) == "\"\(uuid)\"")
    #expect(try value(UUID.self, "\"\(uuid.uppercased())\"") == UUID(uuidString: uuid))
    #expect(try text(Data([0, 255, 62])) == #""AP8+""#)
    #expect(try text(Decimal(string: "12.50")) == #""12.5""#)
    #expect(try text(Decimal(string: "-0.001")) == #""-0.001""#)
    #expect(try text(Decimal(1000)) == #""1000""#)
    #expect(try value(Decimal.self, #""12.50""#) == Decimal(string: "12.5"))
    #expect(try value(Decimal.self, "12.5") == Decimal(string: "12.5"))
    #expect(try text(URL(string: "https://example.org/a?b=c")) == #""https://example.org/a?b=c""#)
    for wrong in ["12.5x", "", ".5", "5.", "+1", "1e3", String(repeating: "9", count: 39)] {
      #expect(throws: DecodingError.self) { try value(Decimal.self, "\"\(wrong)\"") }
    }
    for wrong in ["1.5", "s", "1m", "1.s", "1.0000000000000000001s"] {
      #expect(throws: DecodingError.self) { try value(Duration.self, "\"\(wrong)\"") }
    }
    #expect(throws: EncodingError.self) { try text(Decimal.nan) }
  }

  @Test func `the forms are the same where Foundation's coder takes the value`() throws {
    let value = [
      "é": [Decimal(string: "0.1"), nil], "plain": [Decimal(2)],
    ]
    let text = try text(value)
    #expect(
      text == #"{"plain":["2"],"é":["0.1",null]}"# || text == #"{"é":["0.1",null],"plain":["2"]}"#)
    #expect(try self.value([String: [Decimal?]].self, text) == value)
    let spans = ["ü": Duration.seconds(1)]
    #expect(try self.text(spans) == #"{"ü":"1s"}"#)
    #expect(try self.value([String: Duration].self, #"{"ü":"1s"}"#) == spans)
    #expect(
      try self.text(["ü": UUID(uuidString: "0F8FAD5B-D9CB-469F-A165-70867728950E")])
        == #"{"ü":"0f8fad5b-d9cb-469f-a165-70867728950e"}"#)
    let error = #expect(throws: DecodingError.self) {
      try self.value([String: Date].self, #"{"ü":"soon"}"#)
    }
    guard case .dataCorrupted(let context)? = error else { return }
    #expect(
      context.debugDescription == #"expected a time such as 2026-11-27T20:21:30Z, got "soon""#)
  }
}
