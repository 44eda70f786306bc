// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Sends the first values of both signals together, then the second ones, and so on.
  ///
  /// It completes when no pair can come any more: one has completed, and all its values are paired.
  /// It fails when the first one fails. Values that wait for their partner are kept.
  ///
  /// - Parameters:
  ///   - other: The other signal.
  ///   - combine: Makes a value of the two.
  /// - Returns: The signal.
  @inlinable public func zip<Other, New>(
    _ other: Signal<Other, Failure>, _ combine: @escaping (Value, Other) -> New
  ) -> Signal<New, Failure> {
    Signal<New, Failure>(
      depth: max(depth, other.depth) + 1, cuts: cuts + other.cuts
    ) { life, observer in
      let left = Cell(Ring<Value>())
      let right = Cell(Ring<Other>())
      var hasLeft = true
      var hasRight = true
      func settle() {
        if !left.content.isEmpty, !right.content.isEmpty,
          let one = left.content.popFirst(), let two = right.content.popFirst()
        {
          observer(.next(combine(one, two)))
        }
        guard !life.isEnded,
          !hasLeft && left.content.isEmpty || !hasRight && right.content.isEmpty
        else { return }
        life.endChildren()
        observer(.completed)
      }
      func fail(_ failure: Failure) {
        life.endChildren()
        observer(.failed(failure))
      }
      branch(Life(in: life)) { event in
        switch event {
        case .next(let value): left.content.append(value)
        case .completed: hasLeft = false
        case .failed(let failure): return fail(failure)
        }
        settle()
      }
      other.branch(Life(in: life)) { event in
        switch event {
        case .next(let value): right.content.append(value)
        case .completed: hasRight = false
        case .failed(let failure): return fail(failure)
        }
        settle()
      }
    }
  }

  /// Sends the first values of both signals together, then the second ones, and so on.
  ///
  /// - Parameter other: The other signal.
  /// - Returns: The signal of pairs.
  @inlinable public func zip<Other>(
    _ other: Signal<Other, Failure>
  ) -> Signal<(Value, Other), Failure> { zip(other) { ($0, $1) } }
}
