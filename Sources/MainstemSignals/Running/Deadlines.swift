// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The deadlines of a clock, the next one first: a heap.
struct Deadlines {
  private var heap: [Deadline] = []

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
