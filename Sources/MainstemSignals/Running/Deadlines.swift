// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The deadlines of a clock, the next one first: a heap. Apart from it, in no order, those that are adrift.
struct Deadlines {
  private var heap: [Deadline] = []
  private var adrift: [Deadline] = []

  /// The next deadline.
  var first: Deadline? { heap.first }

  mutating func insert(_ deadline: Deadline) {
    heap.append(deadline)
    deadline.place = heap.count - 1
    rise(heap.count - 1)
  }

  mutating func remove(_ deadline: Deadline) {
    let place = deadline.place
    guard place >= 0 else { return }
    deadline.place = -1
    let last = heap.removeLast()
    guard last !== deadline else { return }
    heap[place] = last
    last.place = place
    rise(place)
    sink(last.place)
  }

  var isAnyAdrift: Bool { !adrift.isEmpty }

  mutating func insertAdrift(_ deadline: Deadline) {
    guard deadline.berth < 0 else { return }
    deadline.berth = adrift.count
    adrift.append(deadline)
  }

  mutating func removeAdrift(_ deadline: Deadline) {
    let berth = deadline.berth
    guard berth >= 0 else { return }
    deadline.berth = -1
    let last = adrift.removeLast()
    guard last !== deadline else { return }
    adrift[berth] = last
    last.berth = berth
  }

  /// Takes one of those that are adrift out.
  mutating func popAdrift() -> Deadline? {
    guard let last = adrift.popLast() else { return nil }
    last.berth = -1
    return last
  }

  private mutating func rise(_ start: Int) {
    var place = start
    while place > 0, Self.precedes(heap[place], heap[(place - 1) / 2]) {
      swap(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink(_ start: Int) {
    var place = start
    while true {
      var least = place
      for child in (2 * place + 1)...(2 * place + 2) where child < heap.count {
        if Self.precedes(heap[child], heap[least]) { least = child }
      }
      guard least != place else { return }
      swap(place, least)
      place = least
    }
  }

  private mutating func swap(_ one: Int, _ other: Int) {
    heap.swapAt(one, other)
    heap[one].place = one
    heap[other].place = other
  }

  private static func precedes(_ one: Deadline, _ other: Deadline) -> Bool {
    one.looked == other.looked
      ? Life.precedes(one.life, other.life) : one.looked < other.looked
  }
}
