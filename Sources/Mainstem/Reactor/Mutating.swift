// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import MainstemSignals

/// One run of an action: its signal, until that has ended or the action has its answer.
///
/// It keeps the reactor, whose own end is the end of its runs.
final class Mutating<R: Reactor> {
  private let house: ModelHouse<R>
  private let reacting: Reacting<R>
  /// Its event: at first the one that was delivered, then that one kept.
  private var action: UnsafePointer<mainstem_event>
  private var kept: Retained?
  private var isOver = false
  private var failure: Failure?

  init(
    _ house: ModelHouse<R>, _ reacting: Reacting<R>, _ action: UnsafePointer<mainstem_event>
  ) {
    (self.house, self.reacting, self.action) = (house, reacting, action)
  }

  /// Starts it in the action's handler. What is over when that returns needs no answer: the library gives it.
  func start(
    _ mutations: Signal<R.Mutation, Failure>, _ delivery: borrowing Delivery
  ) throws {
    let run =
      mutations
      .tryMap { [self] (mutation) throws(Failure) in try reacting.take(mutation, of: action) }
      .start(on: reacting.clock) { [self] event in
        switch event {
        case .next: break
        case .completed: end(nil)
        case .failed(let failure): end(failure)
        }
      }
    if isOver {
      if let failure { throw failure }
      return
    }
    let kept = try Retained(delivery.event)
    (self.kept, action) = (kept, kept.event)
    // The run ends with this closure, which is released uncalled if the reactor ends.
    try delivery.onSettled { [self] in
      run.cancel()
      self.kept = nil
    }
  }

  private func end(_ failure: Failure?) {
    (isOver, self.failure) = (true, failure)
    guard let kept else { return }
    self.kept = nil
    // Refused: somebody else has settled it.
    _ = failure?.answer(kept.event) ?? mainstem_respond(kept.event, nil, 0)
  }
}
