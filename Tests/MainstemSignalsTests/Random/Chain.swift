// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import MainstemSignals
import MainstemTesting

typealias Event = SignalEvent<Int, MarbleFailure>

/// A chain of operators, as a tree that can be written down, run, and worked out on lists.
indirect enum Chain {
  case timeline([(time: Int, event: Event)])
  case map(Chain)
  case filter(Chain)
  case compactMap(Chain)
  case tryMap(Chain)
  case scan(Chain)
  case distinct(Chain)
  case skip(Int, Chain)
  case take(Int, Chain)
  case startWith(Int, Chain)
  case takeUntil(Chain, Chain)
  case merge(Chain, Chain)
  case combineLatest(Chain, Chain)
  case zip(Chain, Chain)
  case concat(Chain, Chain)
  case flatMap(FlatMapPolicy, Chain, Chain)
  case `catch`(Chain, Chain)
  case retry(Int, Chain)
  case `repeat`(Int, Chain)
  case debounce(Int, Chain)
  case throttle(Int, Bool, Chain)
  case delay(Int, Chain)
  case buffer(Int, Int, Chain)
  case timeout(Int, Chain)
}

extension Chain {
  /// The operators' functions, the same for both ways to work a chain out.
  static func mapped(_ value: Int) -> Int { value * 2 + 1 }
  static func isIncluded(_ value: Int) -> Bool { value % 3 != 0 }
  static func halved(_ value: Int) -> Int? { value % 2 == 0 ? value / 2 : nil }
  static func areAlike(_ one: Int, _ other: Int) -> Bool { one / 3 == other / 3 }
  static func tried(_ value: Int) throws(MarbleFailure) -> Int {
    if value % 7 == 6 { throw MarbleFailure() }
    return value
  }

  /// The chain as a signal.
  var signal: Signal<Int, MarbleFailure> {
    func ms(_ time: Int) -> Duration { .milliseconds(time) }
    return switch self {
    case .timeline(let events): .timeline(events.map { (ms($0.time), $0.event) })
    case .map(let chain): chain.signal.map(Self.mapped)
    case .filter(let chain): chain.signal.filter(Self.isIncluded)
    case .compactMap(let chain): chain.signal.compactMap(Self.halved)
    case .tryMap(let chain): chain.signal.tryMap(Self.tried)
    case .scan(let chain): chain.signal.scan(0) { $0 &+ $1 }
    case .distinct(let chain): chain.signal.distinct(by: Self.areAlike)
    case .skip(let count, let chain): chain.signal.skip(count)
    case .take(let count, let chain): chain.signal.take(count)
    case .startWith(let value, let chain): chain.signal.startWith(value)
    case .takeUntil(let chain, let other): chain.signal.takeUntil(other.signal)
    case .merge(let one, let other): one.signal.merge(other.signal)
    case .combineLatest(let one, let other): one.signal.combineLatest(other.signal) { $0 &+ $1 }
    case .zip(let one, let other): one.signal.zip(other.signal) { $0 &- $1 }
    case .concat(let one, let other): one.signal.concat(other.signal)
    case .flatMap(let policy, let outer, let inner):
      outer.signal.flatMap(policy) { value in inner.signal.map { $0 &+ value } }
    case .catch(let one, let other): one.signal.catch { _ in other.signal }
    case .retry(let times, let chain): chain.signal.retry(times)
    case .repeat(let times, let chain): chain.signal.repeat(times)
    case .debounce(let time, let chain): chain.signal.debounce(ms(time))
    case .throttle(let time, let latest, let chain): chain.signal.throttle(ms(time), latest: latest)
    case .delay(let time, let chain): chain.signal.delay(ms(time))
    case .buffer(let time, let count, let chain):
      chain.signal.buffer(time: ms(time), count: count).map { $0.reduce(0, &+) }
    case .timeout(let time, let chain): chain.signal.timeout(ms(time), MarbleFailure())
    }
  }
}
