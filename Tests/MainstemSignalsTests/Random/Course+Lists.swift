// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import MainstemSignals
import MainstemTesting

extension Course {
  func values(_ transform: (Int) -> [Int]) -> Course {
    var result = Course()
    for (time, event) in all {
      guard case .next(let value) = event else {
        result.add(event, time)
        continue
      }
      for new in transform(value) { result.add(.next(new), time) }
    }
    return result
  }

  func tried() -> Course {
    var result = Course()
    for (time, event) in all {
      if case .next(let value) = event, (try? Chain.tried(value)) == nil {
        result.add(.failed(MarbleFailure()), time)
        return result
      }
      result.add(event, time)
    }
    return result
  }

  func scanned() -> Course {
    var sum = 0
    return values { value in
      sum &+= value
      return [sum]
    }
  }

  func distinct() -> Course {
    var last: Int?
    return values { value in
      if let last, Chain.areAlike(last, value) { return [] }
      last = value
      return [value]
    }
  }

  func skipped(_ count: Int) -> Course {
    var left = count
    return values { value in
      left -= 1
      return left >= 0 ? [] : [value]
    }
  }

  func taken(_ count: Int) -> Course {
    guard count > 0 else { return Course(now: [.completed]) }
    var result = Course()
    var left = count
    for (time, event) in all {
      result.add(event, time)
      if !event.isEnd { left -= 1 }
      if left == 0 {
        result.add(.completed, time)
        return result
      }
    }
    return result
  }

  func after(_ value: Int) -> Course { Course(now: [.next(value)] + now, later: later) }

  /// At a certain end, another course takes over.
  func followed(_ start: Int, after end: Event, by next: (Int) -> Course) -> Course {
    var result = Course()
    for (time, event) in all {
      guard event == end else {
        result.add(event, time)
        continue
      }
      result.append(next(time ?? start), at: time)
      return result
    }
    return result
  }

  /// The events of two courses in one order; at the same time those of the first come first.
  private static func both(
    _ one: Course, _ other: Course
  ) -> [(time: Int?, isFirst: Bool, event: Event)] {
    var left = one.all.map { (time: $0.time, isFirst: true, event: $0.event) }
    let right = other.all.map { (time: $0.time, isFirst: false, event: $0.event) }
    left += right
    // Swift's sort is stable.
    return left.sorted { ($0.time ?? -1) < ($1.time ?? -1) }
  }

  static func until(_ course: Course, _ other: Course) -> Course {
    var result = Course()
    for (time, isOther, event) in both(other, course) {
      if isOther {
        if case .completed = event { continue }
        result.add(event.isEnd ? event : .completed, time)
        return result
      }
      result.add(event, time)
      if event.isEnd { return result }
    }
    return result
  }

  static func merged(_ one: Course, _ other: Course) -> Course {
    var result = Course()
    var running = 2
    for (time, _, event) in both(one, other) {
      if event == .completed {
        running -= 1
        if running > 0 { continue }
      }
      result.add(event, time)
      if event.isEnd { return result }
    }
    return result
  }

  static func combined(_ one: Course, _ other: Course) -> Course {
    var result = Course()
    var (left, right): (Int?, Int?) = (nil, nil)
    var running = 2
    for (time, isFirst, event) in both(one, other) {
      switch event {
      case .next(let value):
        if isFirst { left = value } else { right = value }
        if let left, let right { result.add(.next(left &+ right), time) }
      case .completed:
        running -= 1
        guard running == 0 || (isFirst ? left : right) == nil else { continue }
        result.add(.completed, time)
        return result
      case .failed:
        result.add(event, time)
        return result
      }
    }
    return result
  }

  static func zipped(_ one: Course, _ other: Course) -> Course {
    var result = Course()
    var (left, right): ([Int], [Int]) = ([], [])
    var (isLeftDone, isRightDone) = (false, false)
    for (time, isFirst, event) in both(one, other) {
      switch event {
      case .next(let value): if isFirst { left.append(value) } else { right.append(value) }
      case .completed: if isFirst { isLeftDone = true } else { isRightDone = true }
      case .failed:
        result.add(event, time)
        return result
      }
      if let first = left.first, let second = right.first {
        result.add(.next(first &- second), time)
        left.removeFirst()
        right.removeFirst()
      }
      if isLeftDone && left.isEmpty || isRightDone && right.isEmpty {
        result.add(.completed, time)
        return result
      }
    }
    return result
  }
}
