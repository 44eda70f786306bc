// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import MainstemSignals

/// A signal's time has come: sent by the timers of a ``Context/signalClock(_:)``.
public struct SignalAlarm: Notice, ScalarEvent {
  /// Which of the clock's alarms it is.
  public var value: Int

  /// Makes an alarm.
  ///
  /// - Parameter value: Which one it is.
  public init(value: Int) { self.value = value }
}

extension Context {
  /// Makes a clock for signals that goes by this context's time.
  ///
  ///     let clock = context.signalClock()
  ///     let run = typed.debounce(.milliseconds(300)).start(on: clock) { … }
  ///
  /// Its alarms are events, ``SignalAlarm``, sent through a scope of the clock's name. So what a signal does is recorded, repeated
  /// and verified like everything else. Deadlines are rounded up to milliseconds. Once the context closes, no time
  /// passes.
  ///
  /// - Parameter name: The name of its scope, which is added with its first alarm.
  /// - Returns: The clock. Runs that are started on it keep it.
  public func signalClock(_ name: String = "Signals") -> SignalClock {
    ContextSignalClock(borrowed, name)
  }

  /// The same context or scope, which does not end when this is released.
  var borrowed: Context { Context(handle, types: types, ownership: .none) }
}

/// The clock of a context: each alarm is a timer's event.
class ContextSignalClock: SignalClock {
  /// Where its runs ask, and its alarms are heard: so a server shows after each.
  final let home: Context
  private final let name: String
  private final var scope: Context?
  private final var subscription: Subscription?
  private final var timer: EventTimer?
  private final var armed = 0
  /// The time of the alarm that is set.
  private final var due: Duration?
  /// The time of the last alarm. Timers do not go by the time that events carry, so it may be later than that.
  private final var reached = Duration.zero

  init(_ home: Context, _ name: String) {
    (self.home, self.name) = (home, name)
    super.init()
  }

  deinit { timer?.cancel() }

  final override var now: Duration { max(reached, .nanoseconds((try? home.now()) ?? 0)) }

  /// Outside callbacks a replay has another time than the session had.
  final override var isAdrift: Bool { ((try? home.event()) ?? 0) == 0 }

  final override func setAlarm(at time: Duration?) {
    timer?.cancel()
    (timer, due) = (nil, time)
    guard let time else { return }
    armed += 1
    // Refused only while the context closes.
    timer = try? place().send(SignalAlarm(value: armed), after: max(.zero, time - now))
  }

  final override func makeWaker() -> @Sendable () -> Void {
    guard let poster = try? place().poster(for: SignalAlarm.self) else { return {} }
    return { try? poster.post(SignalAlarm(value: 0)) }
  }

  private final func place() throws(StreamError) -> Context {
    if let scope { return scope }
    let made = try home.scope(name)
    subscription = try home.observe(SignalAlarm.self, of: made) { [weak self] alarm, _ in
      self?.hear(alarm)
    }
    scope = made
    return made
  }

  /// 0: something has come through a port. An alarm that was set anew before its event came is void.
  private final func hear(_ alarm: SignalAlarm) {
    if alarm.value == armed, let due {
      reached = max(reached, due)
      self.due = nil
    } else if alarm.value != 0 {
      return
    }
    fire()
  }
}
