// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import MainstemSignals

/// What the mutations of an action are made of, when their time comes.
extension Reactor {
  /// The state when this is started: later than ``Reactor/mutate(_:)``, whose reactor is a copy.
  ///
  ///     case .append(let letters):
  ///       .values(letters).flatMap { letter in current.map { .text($0.text + letter) } }
  ///
  /// Without a context it is the state of this value.
  public var current: Signal<State, Failure> {
    .deferred { clock in .just((clock as? ReactorClock<Self>)?.state ?? state) }
  }

  /// A request as a signal: it is asked through the reactor. It sends the answer and completes, or fails.
  ///
  ///     case .refresh: asking(RequestPage(number: 1)).map { .page($0.items) }
  ///
  /// When the run of the action ends before the answer, the request is cancelled. Without a context it fails.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - timeout: How long to wait for the answer, by the context's clock.
  ///   - shared: Whether all who ask the same at a time wait for one answer.
  /// - Returns: The signal.
  public func asking<Q: Request>(
    _ request: Q, timeout: Duration? = nil, shared: Bool = false
  ) -> Signal<Q.Answer, Failure> {
    .deferred { clock in
      guard let clock = clock as? ContextSignalClock else {
        return .failed(
          Failure(
            "\(Q.name) is asked without a context: start on its signalClock()", code: .invalid))
      }
      return clock.home.signal(asking: request, timeout: timeout, shared: shared)
    }
  }
}

/// The clock of a live reactor: who runs on it may look at the state.
final class ReactorClock<R: Reactor>: ContextSignalClock {
  private weak var house: ModelHouse<R>?

  init(_ house: ModelHouse<R>) {
    self.house = house
    super.init(house.context, "Signals")
  }

  var state: R.State? { house?.server.state }
}
