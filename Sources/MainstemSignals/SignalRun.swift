// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A started signal. It runs until its end, until it is cancelled, or until it is released.
public final class SignalRun {
  private let life: Life

  @usableFromInline init(_ life: Life) { self.life = life }

  deinit { cancel() }

  /// Whether it has come to its end, or was cancelled.
  public var isEnded: Bool { life.isEnded }

  /// Ends it: its observer hears nothing more, and each source lets go of what it holds. Does
  /// nothing when it has ended.
  public func cancel() {
    life.cancel()
  }
}

extension Signal {
  /// Starts a run of its own.
  ///
  /// Inside a callback of the same clock it begins after the callback; else what it has to say at
  /// once is said before `start` returns. When a run comes to its end its sources have let go of
  /// what they held before the observer hears of it.
  ///
  /// - Parameters:
  ///   - clock: The clock, on whose thread this is called. By default one that stands still.
  ///   - observer: Gets the values and the end.
  /// - Returns: The run, which ends when it is released.
  @inlinable public func start(
    on clock: SignalClock = SignalClock(), _ observer: @escaping Observer
  ) -> SignalRun {
    let life = clock.makeRoot()
    clock.post(
      Work(life) { [begin] in
        begin(life) { event in
          guard !life.isEnded else { return }
          if event.isEnd { life.end() }
          observer(event)
        }
        return false
      })
    return SignalRun(life)
  }
}

extension Signal where Failure == Never {
  /// Starts a run of its own, for its values only.
  ///
  /// - Parameters:
  ///   - clock: The clock, on whose thread this is called. By default one that stands still.
  ///   - body: Gets the values.
  /// - Returns: The run, which ends when it is released.
  @inlinable public func startWithValues(
    on clock: SignalClock = SignalClock(), _ body: @escaping (Value) -> Void
  ) -> SignalRun {
    start(on: clock) { event in
      if case .next(let value) = event { body(value) }
    }
  }
}
