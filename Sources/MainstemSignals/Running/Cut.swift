// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Where a long chain is cut, so that nothing in it recurses: not its start, its values, its end.
///
/// Every so many operators a signal is wrapped in one. A start continues from the clock's stack, a
/// value waits there for its turn, and a chain that nobody holds any more is released link by link.
@usableFromInline class Cut {
  /// Operators from one cut to the next.
  @usableFromInline static var distance: Int { 32 }

  fileprivate final var above: [Cut]

  fileprivate init(above: [Cut]) { self.above = above }

  fileprivate func release() {}

  fileprivate final func unlink() {
    var left = above
    above = []
    release()
    while var cut = left.popLast() {
      guard isKnownUniquelyReferenced(&cut) else { continue }
      left += cut.above
      cut.above = []
      cut.release()
    }
  }
}

/// A cut through a signal.
@usableFromInline final class CutSignal<Value, Failure: Error>: Cut {
  @usableFromInline typealias Observer = (SignalEvent<Value, Failure>) -> Void

  @usableFromInline var begin: ((Life, @escaping Observer) -> Void)?

  @usableFromInline init(_ begin: @escaping (Life, @escaping Observer) -> Void, above: [Cut]) {
    self.begin = begin
    super.init(above: above)
  }

  deinit { unlink() }

  override fileprivate func release() { begin = nil }

  @inlinable func start(_ life: Life, _ observer: @escaping Observer) {
    let relay = Relay(life, observer)
    life.clock.push(
      Work(life) { [self] in
        begin?(life) { relay.receive($0) }
        return false
      })
  }
}
