// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The near end of a signal whose values come from other threads.
///
/// It may be used from any thread, also by several at a time. It takes no lock and never waits:
/// what it is given is linked into a list, and the thread of the signal's clock takes all of it at
/// once, in the order in which it was given.
public final class SignalPort<Value: Sendable, Failure: Error>: Sendable {
  /// The newest of what was given, as an address. 0: nothing. 1: nobody listens any more.
  private let newest = Atomic<UInt>(0)
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  deinit { free(newest.load(ordering: .acquiring)) }

  /// Whether anybody still listens.
  public var isOpen: Bool { newest.load(ordering: .relaxed) != 1 }

  /// Hands over an event. After an end, or when nobody listens any more, it is dropped.
  public func send(_ event: SignalEvent<Value, Failure>) {
    let given = UnsafeMutablePointer<Given>.allocate(capacity: 1)
    given.initialize(to: Given(event: event, before: newest.load(ordering: .relaxed)))
    while given.pointee.before != 1 {
      let (isLinked, found) = newest.compareExchange(
        expected: given.pointee.before, desired: UInt(bitPattern: given),
        successOrdering: .releasing, failureOrdering: .relaxed)
      guard !isLinked else {
        if found == 0 { wake() }
        return
      }
      given.pointee.before = found
    }
    given.deinitialize(count: 1)
    given.deallocate()
  }

  /// Hands over a value.
  public func next(_ value: Value) { send(.next(value)) }

  /// Ends the signal: all went well.
  public func completed() { send(.completed) }

  /// Ends the signal: it failed.
  public func failed(_ failure: Failure) { send(.failed(failure)) }

  /// Takes all that was given, the oldest first.
  func take() -> [SignalEvent<Value, Failure>] {
    guard newest.load(ordering: .relaxed) > 1 else { return [] }
    var address = newest.exchange(0, ordering: .acquiring)
    var events: [SignalEvent<Value, Failure>] = []
    while let given = UnsafeMutablePointer<Given>(bitPattern: address) {
      events.append(given.pointee.event)
      address = given.pointee.before
      given.deinitialize(count: 1)
      given.deallocate()
    }
    events.reverse()
    return events
  }

  /// Nobody listens any more.
  func close() { free(newest.exchange(1, ordering: .acquiring)) }

  private func free(_ newest: UInt) {
    var address = newest
    while address > 1, let given = UnsafeMutablePointer<Given>(bitPattern: address) {
      address = given.pointee.before
      given.deinitialize(count: 1)
      given.deallocate()
    }
  }

  private struct Given {
    let event: SignalEvent<Value, Failure>
    var before: UInt
  }
}

/// Where a clock takes what has come through a port.
final class PortReader {
  let life: Life
  let read: () -> Void

  init(_ life: Life, _ read: @escaping () -> Void) {
    self.life = life
    self.read = read
  }
}

extension Signal where Value: Sendable {
  /// Makes a signal whose values come from other threads.
  ///
  ///     Signal<Reading, Never>.receive { port in
  ///       let sensor = Sensor { reading in port.next(reading) }   // on a thread of its own
  ///       return { sensor.stop() }
  ///     }
  ///
  /// The clock's ``SignalClock/makeWaker()`` is told when something has come; the clock handles it
  /// when it fires.
  ///
  /// - Parameter start: Called once for each start, on the thread of the clock. It gets a port, and
  ///   returns a function that is called once, on that thread, when the run ends.
  /// - Returns: The signal.
  public static func receive(
    _ start: @escaping (SignalPort<Value, Failure>) -> (() -> Void)?
  ) -> Signal {
    Signal { life, observer in
      let inlet = Inlet(Life(in: life), observer)
      let clock = life.clock
      let port = SignalPort<Value, Failure>(wake: clock.makeWaker())
      clock.ports.append(
        PortReader(inlet.life) {
          for event in port.take() { inlet.send(event) }
        })
      inlet.life.onEnd { port.close() }
      if let cancel = start(port) { inlet.life.onEnd(cancel) }
    }
  }
}
