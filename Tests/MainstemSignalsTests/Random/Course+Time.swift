// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import MainstemSignals
import MainstemTesting

extension Course {
  func debounced(_ quiet: Int, _ start: Int) -> Course {
    var result = Course()
    var last: (value: Int, due: Int)?
    for (time, event) in all {
      if let (value, due) = last, due < time ?? start {
        result.add(.next(value), due)
        last = nil
      }
      if case .next(let value) = event {
        last = (value, (time ?? start) + quiet)
        continue
      }
      if case .completed = event, let last { result.add(.next(last.value), time) }
      result.add(event, time)
      return result
    }
    if let last { result.add(.next(last.value), last.due) }
    return result
  }

  func throttled(_ pause: Int, _ latest: Bool, _ start: Int) -> Course {
    var result = Course()
    var open: Int?
    var last: Int?
    func expire(before time: Int) {
      while let due = open, due < time {
        open = nil
        guard let value = last else { return }
        result.add(.next(value), due)
        (last, open) = (nil, due + pause)
      }
    }
    for (time, event) in all {
      expire(before: time ?? start)
      if case .next(let value) = event {
        if open != nil {
          if latest { last = value }
        } else {
          open = (time ?? start) + pause
          result.add(event, time)
        }
        continue
      }
      if case .completed = event, let last { result.add(.next(last), time) }
      result.add(event, time)
      return result
    }
    expire(before: .max)
    return result
  }

  func delayed(_ delay: Int, _ start: Int) -> Course {
    var result = Course()
    var end = Int.max
    for (time, event) in all where event == .failed(MarbleFailure()) {
      guard let time else { return Course(now: [event]) }
      end = time
    }
    for (time, event) in all where event != .failed(MarbleFailure()) {
      let due = (time ?? start) + delay
      if due < end { result.add(event, due) }
    }
    if end < .max { result.add(.failed(MarbleFailure()), end) }
    return result
  }

  func buffered(_ wait: Int, _ count: Int, _ start: Int) -> Course {
    var result = Course()
    var (values, due): ([Int], Int) = ([], .max)
    func send(_ time: Int?) {
      result.add(.next(values.reduce(0, &+)), time)
      (values, due) = ([], .max)
    }
    for (time, event) in all {
      if due < time ?? start { send(due) }
      switch event {
      case .next(let value):
        if values.isEmpty { due = (time ?? start) + wait }
        values.append(value)
        if values.count >= count { send(time) }
      case .completed:
        if !values.isEmpty { send(time) }
        result.add(event, time)
        return result
      case .failed:
        result.add(event, time)
        return result
      }
    }
    if due < .max { send(due) }
    return result
  }

  func timed(_ wait: Int, _ start: Int) -> Course {
    var result = Course()
    var due = start + wait
    for (time, event) in all {
      if due < time ?? start { break }
      result.add(event, time)
      if event.isEnd { return result }
      due = (time ?? start) + wait
    }
    result.add(.failed(MarbleFailure()), due)
    return result
  }
}
