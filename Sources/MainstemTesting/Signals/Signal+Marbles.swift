// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import MainstemSignals

extension Signal where Value == String, Failure == MarbleFailure {
  /// A signal that sends what a drawing shows.
  ///
  ///     let typed = Signal.marbles("-a-ab-abc---|")
  ///
  /// - Parameter text: The drawing, see ``Marbles``.
  /// - Returns: The signal.
  public static func marbles(_ text: String) -> Signal { marbles(Marbles(text)) }

  /// A signal that sends what a drawing shows.
  ///
  /// - Parameter marbles: The drawing.
  /// - Returns: The signal.
  public static func marbles(_ marbles: Marbles) -> Signal {
    timeline(marbles.marks.map { ($0.time, $0.event) })
  }

  /// Starts the signal, and draws what it sends on a virtual clock.
  ///
  ///     #expect(typed.debounce(.milliseconds(20)).drawn() == "-------…")
  ///
  /// - Parameter duration: How long it runs, if it does not end.
  /// - Returns: The drawing.
  public func drawn(for duration: Duration = .seconds(1)) -> Marbles {
    var marks: [Marbles.Mark] = []
    let clock = VirtualClock()
    let run = start(on: clock) { marks.append(Marbles.Mark(clock.now, $0)) }
    clock.advance(by: duration)
    run.cancel()
    return Marbles(marks)
  }
}
