// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Mainstem
import Testing

/// What became of a value: its bytes, or that it was refused.
private func outcome<Value>(_ body: () throws -> Value) -> Result<Value, Refusal> {
  do { return .success(try body()) } catch { return .failure(Refusal(message: "\(error)")) }
}

private struct Refusal: Error, Equatable { let message: String }

private struct One<Value: Codable & Equatable>: Codable, Equatable { var value: Value }

@Suite("JSONCoder") struct JSONCoderTests {
  private let coder = JSONCoder()
  private let oracle = FoundationOracle()

  /// More with MAINSTEM_JSON_VALUES in the environment.
  private static let seeds: Range<UInt64> = {
    let count = ProcessInfo.processInfo.environment["MAINSTEM_JSON_VALUES"].flatMap(UInt64.init)
    return 0..<(count ?? 1000)
  }()

  private func same<Value: Encodable>(_ value: Value) -> Bool {
    let ours = outcome { try coder.encode(value) }
    let theirs = outcome { try oracle.encode(value) }
    if ours == theirs { return true }
    Issue.record("\(shown(ours))\nnot\n\(shown(theirs))")
    return false
  }

  /// Of two wrong members of a dictionary, Foundation names one by chance: then the messages may differ.
  private func same<Value: Decodable & Equatable>(
    _ type: Value.Type, _ text: [UInt8], message: Bool = true
  ) -> Bool {
    let ours = outcome { try coder.decode(type, from: text) }
    let theirs = outcome { try oracle.decode(type, from: text) }
    if ours == theirs { return true }
    if !message, case (.failure, .failure) = (ours, theirs) { return true }
    Issue.record("\(String(decoding: text, as: UTF8.self)):\n\(ours)\nnot\n\(theirs)")
    return false
  }

  private func shown(_ bytes: Result<[UInt8], Refusal>) -> String {
    switch bytes {
    case .success(let bytes): String(decoding: bytes, as: UTF8.self)
    case .failure(let refusal): "refused: \(refusal.message)"
    }
  }

  @Test func `random values have the bytes and the refusals of Foundation's encoder`() {
    for seed in JSONCoderTests.seeds {
      var chances = Chances(seed: seed)
      let sample = chances.sample()
      if !same(sample) { return }
      guard same(chances.loose()), same(chances.real()), same([chances.text()]) else { return }
      if let bytes = try? coder.encode(sample), !same(Sample.self, bytes) { return }
    }
  }

  @Test func `damaged texts decode to what Foundation's decoder makes of them`() throws {
    let pieces = [
      "null", "1.0", "1e2", "-0", "01", "1e999", "1e-400", "\"\\ud83d\"", "\"\\u0041\"", "{}", "[]",
      ",", "\"", "é",
      " ", "true", "9223372036854775808", "{\"a\":1,\"a\":2}", "300", "\"\\/\"",
      "0.1000000000000000055511151231257827",
    ].map { Array($0.utf8) }
    for seed in JSONCoderTests.seeds {
      var chances = Chances(seed: seed)
      var sample = chances.sample()
      sample.ratio = 0.5
      sample.any = .null
      guard var text = try? oracle.encode(sample) else { continue }
      for _ in 0..<Int.random(in: 1...3, using: &chances) {
        let at = Int.random(in: 0..<text.count, using: &chances)
        switch Int.random(in: 0..<4, using: &chances) {
        case 0: text.remove(at: at)
        case 1: text[at] = UInt8(truncatingIfNeeded: chances.next())
        case 2: text.replaceSubrange(at..<at, with: pieces.randomElement(using: &chances) ?? [])
        default:
          // A whole value in place of another.
          guard let colon = text[at...].firstIndex(of: UInt8(ascii: ":")),
            let comma = text[colon...].firstIndex(of: UInt8(ascii: ","))
          else { continue }
          text.replaceSubrange(
            colon + 1..<comma, with: pieces.randomElement(using: &chances) ?? [])
        }
      }
      guard same(Sample.self, text, message: false), same(Loose.self, text, message: false)
      else { return }
    }
  }

  @Test func `random numbers have the digits of Foundation's encoder, and are read back`() {
    for seed in JSONCoderTests.seeds {
      var chances = Chances(seed: seed)
      let numbers = (0..<100).map { _ in chances.one(in: 2) ? chances.decimals() : chances.real() }
        .filter(\.isFinite)
      guard same(numbers), same(numbers.map(Float.init).filter(\.isFinite)) else { return }
      guard let text = try? coder.encode(numbers), same([Double].self, text) else { return }
    }
  }

  @Test(arguments: 0..<8) func `what is coded by hand comes out as with Foundation`(way: Int) {
    #expect(same(ByHand(way: way, value: 7)))
    #expect(same(One(value: ByHand(way: way, value: 7))))
    #expect(same([ByHand(way: way, value: 7)]))
  }

  @Test(arguments: [
    "1", "-1", "-0", "0", "00", "1.0", "1.5", "1e2", "1E+2", "1e400", "1e-400", "0e-400", "127",
    "128", "-128", "-129",
    "255", "256", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616", "0.1", "123456789012345678", "1234567890.1234567890", "null", "true",
    "\"1\"", "[]", "{}",
    "", " ", ".5", "5.", "+1", "1 2", "3.4e38", "3.5e38", "1e-46", "4.9e-324",
  ])
  func `a number is read, or refused, as by Foundation`(number: String) {
    let text = Array(#"{"value":\#(number)}"#.utf8)
    #expect(same(One<Int>.self, text))
    #expect(same(One<Int8>.self, text))
    #expect(same(One<UInt8>.self, text))
    #expect(same(One<UInt64>.self, text))
    #expect(same(One<Double>.self, text))
    #expect(same(One<Float>.self, text))
    #expect(same(One<Bool>.self, text))
    #expect(same(One<String>.self, text))
    #expect(same(One<Int?>.self, text))
    #expect(same(Double.self, Array(number.utf8)))
    #expect(same(Int?.self, Array(number.utf8)))
  }

  @Test(arguments: [
    #"{"a":1,"list":[],"b":{"a":2,"b":null}}"#, #"{"b":{}}"#, #"{"a":1,"a":2}"#, #"{"b":1}"#,
    #"{"a":1,}"#, "[1,]", "{",
    "\u{feff}{}", #"{"a" : 1 , "c":[[[[]]]] }"#, #"{"a":1}x"#, #"{"\u0061":5}"#, #"{"a":"\ud800"}"#,
    #"{"c":"\x","a":1}"#, #"{"c":01,"a":1}"#, #"{"c":tru,"a":1}"#, "{\"c\":\"\u{1}\",\"a\":1}",
    #"{"c":1.,"a":1}"#,
  ])
  func `a text is read, or refused, as by Foundation`(text: String) {
    #expect(same(ByHand.self, Array(text.utf8)))
    #expect(same([String: Int].self, Array(text.utf8)))
    #expect(same([Int].self, Array(text.utf8)))
    #expect(same(Loose.self, Array(text.utf8)))
    #expect(same(ByHand.self, Array(text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })))
  }

  @Test func `text that is no UTF-8 is refused, or not looked at, as by Foundation`() {
    for text in [[0x22, 0xff, 0x22], [0x22, 0xc3, 0x22], [0xff], [0x31, 0], [0, 0x31]] as [[UInt8]]
    {
      #expect(same(String.self, text))
      #expect(same(Int.self, text))
      #expect(same(Loose.self, Array(#"{"a":"#.utf8) + text + Array("}".utf8)))
      #expect(same(ByHand.self, Array(#"{"a":1,"c":"#.utf8) + text + Array("}".utf8)))
    }
  }

  @Test(arguments: [1, 200, 201, 202, 400, 401, 402])
  func `nesting ends where it ends for Foundation`(depth: Int) {
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(same(Loose.self, Array(text.utf8)))
    var loose = Loose.list([])
    for _ in 1..<depth { loose = .list([loose]) }
    #expect(same(loose))
  }

  @Test func `a large object in any order is read as by Foundation`() throws {
    let members = (0..<1000).map { #""key\#($0 * 7919 % 1000)":\#($0)"# }
    let text = "{" + members.joined(separator: ",") + "}"
    #expect(same([String: Int].self, Array(text.utf8)))
    let words = try oracle.decode([String: Int].self, from: Array(text.utf8))
    #expect(same(words))
  }

  @Test func `a coder in use by a value being coded codes another`() throws {
    struct Within: Codable, Equatable {
      var value: Int
      init(value: Int) { self.value = value }
      func encode(to encoder: any Encoder) throws {
        let text = try Holder.coder.encode([value, value])
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: text, as: UTF8.self))
      }
      init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        value = try Holder.coder.decode([Int].self, from: Array(text.utf8))[0]
      }
    }
    enum Holder { static let coder = JSONCoder() }

    let bytes = try Holder.coder.encode([Within(value: 3), Within(value: 4)])

    #expect(String(decoding: bytes, as: UTF8.self) == #"["[3,3]","[4,4]"]"#)
    #expect(
      try Holder.coder.decode([Within].self, from: bytes) == [Within(value: 3), Within(value: 4)])
  }

  @Test func `keys that begin alike are sorted as by Foundation`() {
    let keys = ["", "a", "abcdefg", "abcdefgh", "abcdefgha", "abcdefghb", "abcdefgi", "abcdefghab"]
    for count in keys.indices {
      #expect(same(Dictionary(uniqueKeysWithValues: zip(keys[count...], count...))))
    }
  }

  @Test func `a container that somebody keeps is not used for other values`() throws {
    struct Kept: Codable, Equatable {
      enum Key: String, CodingKey { case value }
      var value: Int
      init(value: Int) { self.value = value }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(value, forKey: .value)
        Shelf.written.append(container)
      }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        value = try container.decode(Int.self, forKey: .value)
        Shelf.read.append(container)
      }
    }
    enum Shelf {
      nonisolated(unsafe) static var written: [KeyedEncodingContainer<Kept.Key>] = []
      nonisolated(unsafe) static var read: [KeyedDecodingContainer<Kept.Key>] = []
    }
    let coder = JSONCoder()

    for value in 1...3 {
      let bytes = try coder.encode(Kept(value: value))
      #expect(String(decoding: bytes, as: UTF8.self) == #"{"value":\#(value)}"#)
      #expect(try coder.decode(Kept.self, from: bytes) == Kept(value: value))
      for index in Shelf.written.indices { try Shelf.written[index].encode(9, forKey: .value) }
    }
    #expect(try Shelf.read.map { try $0.decode(Int.self, forKey: .value) } == [1, 2, 3])
  }

  @Test func `a value with containers of two kinds of keys, again and again`() throws {
    struct Two: Codable, Equatable {
      enum One: String, CodingKey { case one }
      enum Other: String, CodingKey { case other }
      var one: Int
      var other: [String: Int]
      init(one: Int, other: [String: Int]) { (self.one, self.other) = (one, other) }
      func encode(to encoder: any Encoder) throws {
        var first = encoder.container(keyedBy: One.self)
        var second = encoder.container(keyedBy: Other.self)
        try second.encode(other, forKey: .other)
        try first.encode(one, forKey: .one)
      }
      init(from decoder: any Decoder) throws {
        one = try decoder.container(keyedBy: One.self).decode(Int.self, forKey: .one)
        other = try decoder.container(keyedBy: Other.self)
          .decode([String: Int].self, forKey: .other)
      }
    }
    let coder = JSONCoder()
    for number in 1...3 {
      let value = Two(one: number, other: ["b": number, "a": -number])
      let bytes = try coder.encode(value)
      #expect(bytes == (try oracle.encode(value)))
      #expect(try coder.decode(Two.self, from: bytes) == value)
    }
  }
}
