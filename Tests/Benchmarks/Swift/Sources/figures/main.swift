// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
let contestants =
  try observed(by: 1) + observed(by: 10) + [toC()] + plain(to: 1) + plain(to: 10)
  + combined(by: 1) + combined(by: 10) + [asked()] + awaited() + viewed() + reacted() + filtered()
  + signalled()

/// How often a contestant runs in a sample of about 5 ms.
func calibrated(_ contestant: Contestant) throws -> Int {
  let clock = ContinuousClock()
  var times = 1000
  while try clock.measure({ try contestant.run(times) }) < .milliseconds(5) { times *= 2 }
  return times
}

/// The processor's time of the whole process so far, which others on the machine do not change.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

func compare(_ contestants: [Contestant], rounds: Int) throws {
  let counts = try contestants.map(calibrated)
  var samples = [[Double]](repeating: [], count: contestants.count)
  var worked = samples
  let clock = ContinuousClock()
  for _ in 0..<rounds {
    for (index, contestant) in contestants.enumerated() {
      let began = processorTime()
      let took = try clock.measure { try contestant.run(counts[index]) }
      worked[index].append((processorTime() - began) / Double(counts[index]))
      samples[index].append(took / .nanoseconds(1) / Double(counts[index]))
    }
  }
  for (index, contestant) in contestants.enumerated() {
    let median = Int(samples[index].sorted()[rounds / 2])
    let work = Int(worked[index].sorted()[rounds / 2])
    print("\(contestant.group): \(contestant.name): \(median) ns, \(work) ns of processor time")
  }
}

if arguments.count == 3, arguments[0] == "count", let times = Int(arguments[2]) {
  for contestant in contestants where "\(contestant.group): \(contestant.name)" == arguments[1] {
    try contestant.run(times)
  }
} else {
  try compare(contestants, rounds: arguments.first.flatMap { Int($0) } ?? 9)
}
