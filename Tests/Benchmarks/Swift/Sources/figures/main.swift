// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

let arguments = Array(CommandLine.arguments.dropFirst())
let contestants =
  try observed(by: 1) + observed(by: 10) + [toC()] + plain(to: 1) + plain(to: 10) + [asked()]
  + awaited()

/// How often a contestant runs in a sample of about 5 ms.
func calibrated(_ contestant: Contestant) throws -> Int {
  let clock = ContinuousClock()
  var times = 1000
  while try clock.measure({ try contestant.run(times) }) < .milliseconds(5) { times *= 2 }
  return times
}

func compare(_ contestants: [Contestant], rounds: Int) throws {
  let counts = try contestants.map(calibrated)
  var samples = [[Double]](repeating: [], count: contestants.count)
  let clock = ContinuousClock()
  for _ in 0..<rounds {
    for (index, contestant) in contestants.enumerated() {
      let took = try clock.measure { try contestant.run(counts[index]) }
      samples[index].append(took / .nanoseconds(1) / Double(counts[index]))
    }
  }
  for (index, contestant) in contestants.enumerated() {
    let median = samples[index].sorted()[rounds / 2]
    print("\(contestant.group): \(contestant.name): \(Int(median)) ns")
  }
}

if arguments.count == 3, arguments[0] == "count", let times = Int(arguments[2]) {
  for contestant in contestants where "\(contestant.group): \(contestant.name)" == arguments[1] {
    try contestant.run(times)
  }
} else {
  try compare(contestants, rounds: arguments.first.flatMap { Int($0) } ?? 9)
}
