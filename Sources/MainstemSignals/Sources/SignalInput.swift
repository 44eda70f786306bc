// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The near end of a signal made by hand, for the thread of its clock.
public struct SignalInput<Value, Failure: Error> {
  @usableFromInline let inlet: Inlet<Value, Failure>

  @inlinable init(_ inlet: Inlet<Value, Failure>) { self.inlet = inlet }

  /// The clock of the run.
  package var clock: SignalClock { inlet.life.clock }

  /// Whether anybody still listens: there was no end, and the run has not been cancelled.
  @inlinable public var isOpen: Bool { inlet.isOpen }

  /// Sends an event. After an end nothing is sent.
  @inlinable public func send(_ event: SignalEvent<Value, Failure>) { inlet.send(event) }

  /// Sends a value.
  @inlinable public func next(_ value: Value) { inlet.send(.next(value)) }

  /// Ends the signal: all went well.
  @inlinable public func completed() { inlet.send(.completed) }

  /// Ends the signal: it failed.
  @inlinable public func failed(_ failure: Failure) { inlet.send(.failed(failure)) }
}

extension Signal {
  /// Makes a signal by hand.
  ///
  ///     Signal<Int, Never>.create { input in
  ///       let button = window.button { input.next(1) }
  ///       return { button.remove() }
  ///     }
  ///
  /// - Parameter start: Called once for each start. It gets an input, which it may keep, and
  ///   returns a function that is called once, when that run ends: by an end, or cancelled.
  /// - Returns: The signal.
  @inlinable public static func create(
    _ start: @escaping (SignalInput<Value, Failure>) -> (() -> Void)?
  ) -> Signal {
    Signal { life, observer in
      let inlet = Inlet(Life(in: life), observer)
      inlet.start { start(SignalInput(inlet)) }
    }
  }

  /// Makes a signal when it is started, each time anew.
  ///
  /// - Parameter make: Makes the signal to start.
  /// - Returns: The signal.
  @inlinable public static func deferred(_ make: @escaping () -> Signal) -> Signal {
    Signal { life, observer in make().branch(life, observer) }
  }

  /// Makes a signal when it is started, for the clock that it is started on.
  ///
  /// - Parameter make: Gets the clock, and makes the signal to start.
  /// - Returns: The signal.
  @inlinable public static func deferred(_ make: @escaping (SignalClock) -> Signal) -> Signal {
    Signal { life, observer in make(life.clock).branch(life, observer) }
  }
}
