// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import MainstemSignals

/// A number through a chain of ten operators. Tests/Benchmarks/signals.py has the same chain in reactivex.
func signalled() -> [Contestant] {
  var input: SignalInput<Int, Never>?
  let source = Signal<Int, Never>.create {
    input = $0
    return nil
  }
  let half = source.map { $0 &+ 1 }.filter { $0 != 7 }.scan(0) { $0 &+ $1 }.distinct()
  let more = half.map { $0 &* 3 }.skip(1).compactMap { $0 == 5 ? nil : $0 }
  let run = more.map { $0 ^ 1 }.filter { $0 != 9 }.take(.max).startWithValues { seen &+= $0 }
  return [
    Contestant(group: "ten operators", name: "Mainstem") { times in
      withExtendedLifetime(run) {
        for index in 0..<times { input?.next(index) }
      }
    }
  ] + combinedSignals()
}

#if PEERS
  import OpenCombine

  private func combinedSignals() -> [Contestant] {
    let subject = PassthroughSubject<Int, Never>()
    let half = subject.map { $0 &+ 1 }.filter { $0 != 7 }.scan(0) { $0 &+ $1 }.removeDuplicates()
    let more = half.map { $0 &* 3 }.dropFirst(1).compactMap { $0 == 5 ? nil : $0 }
    let kept = more.map { $0 ^ 1 }.filter { $0 != 9 }.prefix(.max).sink { seen &+= $0 }
    return [
      Contestant(group: "ten operators", name: "OpenCombine") { times in
        withExtendedLifetime(kept) {
          for index in 0..<times { subject.send(index) }
        }
      }
    ]
  }
#else
  private func combinedSignals() -> [Contestant] { [] }
#endif
