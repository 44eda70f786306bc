// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import MainstemSignals
import MainstemTesting

/// What a chain sends that was started at some time, as lists: what it says at once, and what later.
struct Course {
  var now: [Event] = []
  var later: [(time: Int, event: Event)] = []

  /// Adds an event that is sent at a time: at once, or later.
  mutating func add(_ event: Event, _ time: Int?) {
    if let time { later.append((time, event)) } else { now.append(event) }
  }

  /// All events in order; at once is no time.
  var all: [(time: Int?, event: Event)] {
    now.map { (nil, $0) } + later.map { ($0.time, $0.event) }
  }

  /// Adds a course that begins where this one has come to.
  mutating func append(_ course: Course, at time: Int?) {
    for event in course.now { add(event, time) }
    for (when, event) in course.later { add(event, when) }
  }
}

extension Chain {
  /// What the chain sends when it is started at a time.
  func course(_ start: Int) -> Course {
    switch self {
    case .timeline(let events): Course(later: events.map { (start + $0.time, $0.event) })
    case .map(let chain): chain.course(start).values { [Self.mapped($0)] }
    case .filter(let chain): chain.course(start).values { Self.isIncluded($0) ? [$0] : [] }
    case .compactMap(let chain): chain.course(start).values { Self.halved($0).map { [$0] } ?? [] }
    case .tryMap(let chain): chain.course(start).tried()
    case .scan(let chain): chain.course(start).scanned()
    case .distinct(let chain): chain.course(start).distinct()
    case .skip(let count, let chain): chain.course(start).skipped(count)
    case .take(let count, let chain): chain.course(start).taken(count)
    case .startWith(let value, let chain): chain.course(start).after(value)
    case .takeUntil(let chain, let other):
      Course.until(chain.course(start), other.course(start))
    case .merge(let one, let other): Course.merged(one.course(start), other.course(start))
    case .combineLatest(let one, let other):
      Course.combined(one.course(start), other.course(start))
    case .zip(let one, let other): Course.zipped(one.course(start), other.course(start))
    case .concat(let one, let other):
      one.course(start).followed(start, after: .completed) { other.course($0) }
    case .flatMap(let policy, let outer, let inner):
      Course.flattened(policy, outer.course(start), start) { time, value in
        inner.course(time).values { [$0 &+ value] }
      }
    case .catch(let one, let other):
      one.course(start).followed(start, after: .failed(MarbleFailure())) { other.course($0) }
    case .retry(let times, let chain):
      Self.again(times, chain, start, after: .failed(MarbleFailure()))
    case .repeat(let times, let chain):
      times == 0
        ? Course(now: [.completed]) : Self.again(times - 1, chain, start, after: .completed)
    case .debounce(let time, let chain): chain.course(start).debounced(time, start)
    case .throttle(let time, let latest, let chain):
      chain.course(start).throttled(time, latest, start)
    case .delay(let time, let chain): chain.course(start).delayed(time, start)
    case .buffer(let time, let count, let chain): chain.course(start).buffered(time, count, start)
    case .timeout(let time, let chain): chain.course(start).timed(time, start)
    }
  }

  private static func again(
    _ times: Int, _ chain: Chain, _ start: Int, after end: Event
  ) -> Course {
    let course = chain.course(start)
    guard times > 0 else { return course }
    return course.followed(start, after: end) { again(times - 1, chain, $0, after: end) }
  }
}
