// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Sends the latest value of each signal, whenever one of them sends, once both have.
  ///
  /// It completes when both have completed, or one has without any value; it fails when the first
  /// one fails.
  ///
  /// - Parameters:
  ///   - other: The other signal. At the same time this one comes first.
  ///   - combine: Makes a value of the two.
  /// - Returns: The signal.
  @inlinable public func combineLatest<Other, New>(
    _ other: Signal<Other, Failure>, _ combine: @escaping (Value, Other) -> New
  ) -> Signal<New, Failure> {
    Signal<New, Failure>(
      depth: max(depth, other.depth) + 1, cuts: cuts + other.cuts
    ) { life, observer in
      let left = Cell<Value?>(nil)
      let right = Cell<Other?>(nil)
      var running = 2
      func send() {
        if let left = left.content, let right = right.content {
          observer(.next(combine(left, right)))
        }
      }
      func complete(_ own: Life, isEmpty: Bool) {
        own.end()
        running -= 1
        guard running == 0 || isEmpty else { return }
        life.endChildren()
        observer(.completed)
      }
      func fail(_ failure: Failure) {
        life.endChildren()
        observer(.failed(failure))
      }
      let lives = (Life(in: life), Life(in: life))
      branch(lives.0) { event in
        switch event {
        case .next(let value):
          left.content = value
          send()
        case .completed: complete(lives.0, isEmpty: left.content == nil)
        case .failed(let failure): fail(failure)
        }
      }
      other.branch(lives.1) { event in
        switch event {
        case .next(let value):
          right.content = value
          send()
        case .completed: complete(lives.1, isEmpty: right.content == nil)
        case .failed(let failure): fail(failure)
        }
      }
    }
  }

  /// Sends the latest value of each signal, whenever one of them sends, once both have.
  ///
  /// - Parameter other: The other signal. At the same time this one comes first.
  /// - Returns: The signal of pairs.
  @inlinable public func combineLatest<Other>(
    _ other: Signal<Other, Failure>
  ) -> Signal<(Value, Other), Failure> { combineLatest(other) { ($0, $1) } }
}
