// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// What the difference of two arrays of 10,000 keys takes in Swift's standard library, moves included, payloads left out.
// Prints JSON: microseconds of processor time by change; the median of three rounds, of what takes seconds one round.

import Foundation

func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

func text(_ number: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: 8 - digits.count) + digits
}

/// The same numbers as in rows.h.
func shuffled(_ keys: [String]) -> [String] {
  var (keys, seed) = (keys, UInt32(1))
  for last in stride(from: keys.count - 1, to: 0, by: -1) {
    seed = seed &* 1_664_525 &+ 1_013_904_223
    keys.swapAt(last, Int(seed >> 8) % (last + 1))
  }
  return keys
}

let keys = (0..<10_000).map(text)
var inserted = keys
inserted.insert(text(10_000), at: 5_000)
var moved = keys
moved.insert(moved.remove(at: 100), at: 9_900)
var replaced = keys
for index in 0..<100 { replaced[index * 100] = text(10_000 + index) }

func measure(_ name: String, _ other: [String], rounds: Int = 3, end: String = ",\n") {
  let times = (0..<rounds).map { _ in
    let began = now()
    precondition(keys == other || other.difference(from: keys).inferringMoves().count > 0)
    return now() - began
  }
  print("  \"\(name)\": \(times.sorted()[rounds / 2])", terminator: end)
}

print("{")
measure(
  "equal rows elsewhere in memory", keys.map { String(decoding: Array($0.utf8), as: UTF8.self) })
measure("one insertion", inserted)
measure("one far move", moved)
measure("100 keys replaced", replaced)
measure("reverse", Array(keys.reversed()), rounds: 1)
measure("shuffle", shuffled(keys), rounds: 1, end: "\n}\n")
