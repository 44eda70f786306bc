// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// How long a part of a run lives. They form a tree: the root is the run, and an operator that may
/// end its upstream before its own end gives it a child.
@usableFromInline final class Life {
  @usableFromInline let clock: SignalClock
  @exclusivity(unchecked) @usableFromInline var isEnded = false
  /// The place in the tree, for what is due at the same time.
  private let depth: Int
  private let index: Int
  private var begun = 0

  // Links that are cut when it ends.
  private var parent: Life?
  private var firstChild: Life?
  private var lastChild: Life?
  private var next: Life?
  private var previous: Life?

  private var endings: [() -> Void] = []
  private var deadline: Deadline?

  /// The life of a run.
  @usableFromInline init(root index: Int, on clock: SignalClock) {
    (self.clock, self.depth, self.index) = (clock, 0, index)
  }

  /// The life of something upstream of an operator that has the life `parent`.
  @usableFromInline init(in parent: Life) {
    (clock, depth, index) = (parent.clock, parent.depth + 1, parent.begun)
    parent.begun += 1
    guard !parent.isEnded else {
      isEnded = true
      return
    }
    self.parent = parent
    previous = parent.lastChild
    previous?.next = self
    parent.lastChild = self
    if parent.firstChild == nil { parent.firstChild = self }
  }

  /// Calls a function when it ends: the last one added comes first.
  @usableFromInline func onEnd(_ body: @escaping () -> Void) {
    if isEnded { body() } else { endings.append(body) }
  }

  /// The deadline of its operator: there is one at most.
  @usableFromInline func deadline(
    settled: ((Int64) -> Void)? = nil, _ body: @escaping (Deadline) -> Void
  ) -> Deadline {
    let made = Deadline(self, settled: settled, body)
    if !isEnded { deadline = made }
    return made
  }

  /// Ends it, and all below it: sources before what they feed.
  @usableFromInline func end() {
    guard !isEnded else { return }
    guard firstChild != nil else {
      stop()
      leave()
      return finish()
    }
    var all = [self]
    var index = 0
    while index < all.count {
      all[index].stop()
      all[index].appendChildren(to: &all)
      index += 1
    }
    leave()
    while let life = all.popLast() { life.finish() }
  }

  /// Ends it from outside, as a turn of its clock, or in one.
  func cancel() {
    guard !isEnded else { return }
    if clock.isRunning {
      end()
    } else {
      clock.enter { end() }
    }
  }

  /// Ends all that is upstream of its operator.
  @usableFromInline func endChildren() {
    while let child = lastChild { child.end() }
  }

  private func leave() {
    if let next { next.previous = previous } else { parent?.lastChild = previous }
    if let previous { previous.next = next } else { parent?.firstChild = next }
    (parent, next, previous) = (nil, nil, nil)
  }

  private func appendChildren(to list: inout [Life]) {
    var child = firstChild
    while let life = child {
      list.append(life)
      child = life.next
    }
  }

  /// Nothing comes from it any more. Its place in the tree is still known.
  private func stop() {
    isEnded = true
    if let deadline {
      clock.deadlines.remove(deadline)
      clock.deadlines.removeAdrift(deadline)
    }
  }

  private func finish() {
    (parent, firstChild, lastChild, next, previous, deadline) = (nil, nil, nil, nil, nil, nil)
    while let ending = endings.popLast() { ending() }
  }
}

extension Life {
  /// At one time upstream comes before downstream, left before right.
  static func precedes(_ one: Life, _ other: Life) -> Bool {
    var (left, right) = (one, other)
    while left.depth > right.depth, let parent = left.parent { left = parent }
    while right.depth > left.depth, let parent = right.parent { right = parent }
    if left === right { return one.depth > other.depth }
    while let up = left.parent, let upOther = right.parent, up !== upOther {
      (left, right) = (up, upOther)
    }
    return left.index < right.index
  }
}
