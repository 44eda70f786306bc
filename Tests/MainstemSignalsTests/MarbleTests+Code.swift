// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import MainstemSignals
import MainstemTesting

extension MarbleTests {
  typealias Make = @Sendable (_ a: Text, _ b: Text) -> Text

  /// The code of each line, as the page has it.
  static let code = sources.merging(operators) { $1 }.merging(timed) { $1 }

  private static let sources: [String: Make] = [
    #".just("a")"#: { _, _ in .just("a") },
    #".values(["a", "b", "c"])"#: { _, _ in .values(["a", "b", "c"]) },
    #".empty"#: { _, _ in .empty },
    #".failed(MarbleFailure())"#: { _, _ in .failed(MarbleFailure()) },
    #".never"#: { _, _ in .never },
    #".every(.milliseconds(20)).map { "\($0)" }.take(3)"#: { _, _ in
      Signal.every(.milliseconds(20)).map { "\($0)" }.take(3)
    },
  ]

  private static let operators: [String: Make] = [
    #"a.map { $0.uppercased() }"#: { a, _ in a.map { $0.uppercased() } },
    #"a.compactMap { Int($0).map { "\($0 * 2)" } }"#: { a, _ in
      a.compactMap { Int($0).map { "\($0 * 2)" } }
    },
    #"a.tryMap { (text) throws(MarbleFailure) in try number(text) }"#: { a, _ in
      a.tryMap { (text) throws(MarbleFailure) in try number(text) }
    },
    #"a.scan("") { $0 + $1 }"#: { a, _ in a.scan("") { $0 + $1 } },
    #"a.filter { $0 != "b" }"#: { a, _ in a.filter { $0 != "b" } },
    #"a.distinct()"#: { a, _ in a.distinct() },
    #"a.skip(2)"#: { a, _ in a.skip(2) },
    #"a.take(2)"#: { a, _ in a.take(2) },
    #"a.takeUntil(b)"#: { a, b in a.takeUntil(b) },
    #"a.startWith("s")"#: { a, _ in a.startWith("s") },
    #"a.merge(b)"#: { a, b in a.merge(b) },
    #"a.combineLatest(b) { $0 + $1 }"#: { a, b in a.combineLatest(b) { $0 + $1 } },
    #"a.zip(b) { $0 + $1 }"#: { a, b in a.zip(b) { $0 + $1 } },
    #"a.concat(b)"#: { a, b in a.concat(b) },
    #"a.flatMap(.merge) { _ in b }"#: { a, b in a.flatMap(.merge) { _ in b } },
    #"a.flatMap(.latest) { _ in b }"#: { a, b in a.flatMap(.latest) { _ in b } },
    #"a.flatMap(.concat) { _ in b }"#: { a, b in a.flatMap(.concat) { _ in b } },
    #"a.catch { _ in b }"#: { a, b in a.catch { _ in b } },
    #"a.retry(1)"#: { a, _ in a.retry(1) },
    #"b.repeat(2)"#: { _, b in b.repeat(2) },
    #"a.share().flatMap { value in .just(value) }"#: { a, _ in
      a.share().flatMap { value in .just(value) }
    },
    #"twice(a.share())"#: { a, _ in twice(a.share()) },
  ]

  private static let timed: [String: Make] = [
    #"a.debounce(.milliseconds(20))"#: { a, _ in a.debounce(.milliseconds(20)) },
    #"a.throttle(.milliseconds(30))"#: { a, _ in a.throttle(.milliseconds(30)) },
    #"a.throttle(.milliseconds(30), latest: false)"#: { a, _ in
      a.throttle(.milliseconds(30), latest: false)
    },
    #"a.delay(.milliseconds(20))"#: { a, _ in a.delay(.milliseconds(20)) },
    #"a.buffer(time: .milliseconds(30), count: 3).map { $0.joined() }"#: { a, _ in
      a.buffer(time: .milliseconds(30), count: 3).map { $0.joined() }
    },
    #"a.timeout(.milliseconds(30), MarbleFailure())"#: { a, _ in
      a.timeout(.milliseconds(30), MarbleFailure())
    },
  ]

  private static func number(_ text: String) throws(MarbleFailure) -> String {
    guard Int(text) != nil else { throw MarbleFailure() }
    return text
  }

  private static func twice(_ signal: Text) -> Text {
    signal.merge(signal.map { $0.uppercased() })
  }
}
