// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import MainstemSignals
import MainstemTesting

extension Course {
  /// Works out flatMap step by step. At the same time the outer course comes first, then the inner
  /// ones in the order in which they began.
  static func flattened(
    _ policy: FlatMapPolicy, _ outer: Course, _ start: Int,
    _ inner: (_ time: Int, _ value: Int) -> Course
  ) -> Course {
    var flat = Flat(policy: policy, start: start)
    for event in outer.now where !flat.hasEnded { flat.hear(event, nil, inner) }
    var left = outer.later[...]
    while !flat.hasEnded {
      let next = flat.nextTime
      if let first = left.first, first.time <= next ?? .max {
        left.removeFirst()
        flat.hear(first.event, first.time, inner)
      } else if let next {
        flat.advance(next, inner)
      } else {
        break
      }
    }
    return flat.result
  }

  private struct Flat {
    let policy: FlatMapPolicy
    let start: Int
    var result = Course()
    var hasEnded = false
    var isOuterDone = false
    var waiting: [Int] = []
    /// What the inner courses have still to say later.
    var inner: [ArraySlice<(time: Int, event: Event)>] = []
    var running = 0

    var nextTime: Int? { inner.compactMap { $0.first?.time }.min() }

    mutating func hear(_ event: Event, _ time: Int?, _ make: (Int, Int) -> Course) {
      switch event {
      case .next(let value):
        if policy == .concat, running > 0 { return waiting.append(value) }
        if policy == .latest { (inner, running) = ([], 0) }
        begin(value, time, make)
      case .completed:
        isOuterDone = true
        if running == 0 { end(.completed, time) }
      case .failed: end(event, time)
      }
    }

    mutating func begin(_ value: Int, _ time: Int?, _ make: (Int, Int) -> Course) {
      let course = make(time ?? start, value)
      running += 1
      inner.append(course.later[...])
      for event in course.now where !hasEnded { say(event, time, make) }
    }

    mutating func say(_ event: Event, _ time: Int?, _ make: (Int, Int) -> Course) {
      switch event {
      case .next: result.add(event, time)
      case .completed:
        running -= 1
        if !waiting.isEmpty {
          begin(waiting.removeFirst(), time, make)
        } else if running == 0, isOuterDone {
          end(.completed, time)
        }
      case .failed: end(event, time)
      }
    }

    mutating func advance(_ time: Int, _ make: (Int, Int) -> Course) {
      guard let index = inner.firstIndex(where: { $0.first?.time == time }),
        let first = inner[index].popFirst()
      else { return }
      say(first.event, time, make)
    }

    mutating func end(_ event: Event, _ time: Int?) {
      result.add(event, time)
      hasEnded = true
    }
  }
}
