// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Mainstem

/// What decides: Foundation's coder, with the options whose bytes are ours.
struct FoundationOracle: PayloadCoder {
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  init() { encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes] }

  func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    Array(try encoder.encode(value))
  }

  func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try decoder.decode(type, from: Data(bytes))
  }
}

/// Makes the same random choices for the same seed.
struct Chances: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
    return bits ^ bits >> 31
  }
}
