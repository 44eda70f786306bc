// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import MainstemSignals

extension Signal where Value: Event, Failure == Mainstem.Failure {
  /// Starts it, and sends each of its values.
  ///
  ///     let run = typed.debounce(.milliseconds(300)).send(through: context, on: clock)
  ///
  /// - Parameters:
  ///   - context: The context or scope to send through.
  ///   - clock: The clock, usually of the same context.
  ///   - ended: Gets how it ended: its own end, or the first refusal.
  /// - Returns: The run, which ends when it is released.
  public func send(
    through context: Context, on clock: SignalClock,
    ended: @escaping (Result<Void, Failure>) -> Void = { _ in }
  ) -> SignalRun {
    let context = context.borrowed
    return conclude(on: clock, ended) { event throws(StreamError) in try context.send(event) }
  }

  /// Starts it, and sets each of its values: what is there already is not sent.
  ///
  /// - Parameters:
  ///   - context: The scope that owns the value.
  ///   - clock: The clock, usually of the same context.
  ///   - ended: Gets how it ended: its own end, or the first refusal.
  /// - Returns: The run, which ends when it is released.
  public func set(
    in context: Context, on clock: SignalClock,
    ended: @escaping (Result<Void, Failure>) -> Void = { _ in }
  ) -> SignalRun {
    let context = context.borrowed
    return conclude(on: clock, ended) { event throws(StreamError) in try context.set(event) }
  }

  private func conclude(
    on clock: SignalClock, _ ended: @escaping (Result<Void, Failure>) -> Void,
    _ pass: @escaping (Value) throws(StreamError) -> Void
  ) -> SignalRun {
    give { (value) throws(Failure) in
      do throws(StreamError) { try pass(value) } catch { throw Failure(error) }
    }.start(on: clock) { (event: SignalEvent<Never, Failure>) in
      switch event {
      case .completed: ended(.success(()))
      case .failed(let failure): ended(.failure(failure))
      }
    }
  }
}
