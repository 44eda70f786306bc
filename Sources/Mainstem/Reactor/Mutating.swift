// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import MainstemSignals

/// One run of an action: its signal, until that has ended or the action has its answer.
///
/// It keeps the reactor, whose own end is the end of its runs.
@usableFromInline final class Mutating {
  private let house: AnyObject
  /// Its event: at first the one that was delivered, then that one kept.
  private(set) var action: UnsafePointer<mainstem_event>
  private var kept: Retained?
  private var isOver = false
  private var failure: Failure?

  init(_ house: AnyObject, _ action: UnsafePointer<mainstem_event>) {
    (self.house, self.action) = (house, action)
  }

  /// Goes on behind the action's handler, if it is not over. If it is, the library gives the answer.
  func goOn(_ run: SignalRun, _ delivery: borrowing Delivery) throws {
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

  /// The signal has ended.
  @usableFromInline func end(_ failure: Failure?) {
    (isOver, self.failure) = (true, failure)
    guard let kept else { return }
    self.kept = nil
    // Refused: somebody else has settled it.
    _ = failure?.answer(kept.event) ?? mainstem_respond(kept.event, nil, 0)
  }
}
