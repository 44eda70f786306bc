// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import MainstemSignals

/// A clock for signals that begins at 0 and stands still until it is moved.
///
///     let clock = VirtualClock()
///     let run = searches.debounce(.milliseconds(300)).start(on: clock) { … }
///     clock.advance(by: .milliseconds(300))
public final class VirtualClock: SignalClock {
  private var present = Duration.zero
  private var alarm: Duration?

  /// Makes a clock at 0.
  public override init() {}

  /// The time it has been moved to.
  public override var now: Duration { present }

  /// Remembers when something is due.
  public override func setAlarm(at time: Duration?) { alarm = time }

  /// When the next thing is due; `nil`: nothing is.
  public var next: Duration? { alarm }

  /// Moves it forward. Everything that falls due happens, in order, each at its own time.
  ///
  /// - Parameter duration: How far.
  public func advance(by duration: Duration) {
    let end = present + duration
    while let time = alarm, time <= end {
      present = max(present, time)
      fire()
    }
    present = end
    fire()
  }
}
