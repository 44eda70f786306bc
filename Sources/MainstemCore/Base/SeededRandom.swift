// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Numbers that look random and are the same in every run. Not for secrets: the others can be computed from a few of
/// them.
///
/// The mixing is that of SplitMix64: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014.
package enum SeededRandom {
  /// The number for a seed and three coordinates.
  @_optimize(speed)
  package static func number(_ seed: UInt64, _ first: UInt64, _ second: UInt64, _ third: UInt64)
    -> UInt64
  {
    mix(mix(mix(mix(seed) ^ first) ^ second) ^ third)
  }

  /// The number for a name and an index within that name.
  @_optimize(speed)
  package static func number(ofName name: Bytes, _ which: UInt64) -> UInt64 {
    var number = mix(which)
    var index = 0
    while index < name.count {
      number = mix(number ^ UInt64(name[index]))
      index &+= 1
    }
    return number
  }

  private static func mix(_ bits: UInt64) -> UInt64 {
    var mixed = bits &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
