// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#if PEERS
  import OpenCombine

  /// Events of three fields, and of plain bytes, by OpenCombine's subject.
  func combined(by count: Int) -> [Contestant] {
    let subject = PassthroughSubject<Moved, Never>()
    let plain = PassthroughSubject<Placed, Never>()
    var subscriptions: Set<AnyCancellable> = []
    for _ in 0..<count {
      subject.sink { event in seen &+= event.id }.store(in: &subscriptions)
      plain.sink { event in seen &+= event.id }.store(in: &subscriptions)
    }
    let kept = subscriptions
    return [
      Contestant(group: "three fields to \(count)", name: "OpenCombine") { times in
        withExtendedLifetime(kept) {
          for _ in 0..<times { subject.send(Moved.sample) }
        }
      },
      Contestant(group: "plain bytes to \(count)", name: "OpenCombine") { times in
        withExtendedLifetime(kept) {
          for _ in 0..<times { plain.send(Placed.sample) }
        }
      },
    ]
  }
#else
  func combined(by count: Int) -> [Contestant] { [] }
#endif
