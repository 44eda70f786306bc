// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Replay {
  /// Asks a closure what secrets carried, which a journal does not have.
  ///
  /// It gets each event before it is fed, with ``Status/withheld``, and says what that carried; `nil` where it does
  /// not know. To verify, what it says is an input like any other: what comes of it is compared, and
  /// ``ReplayInfo/provesUntil`` goes on behind it. The closure is released when another takes its place, or the
  /// replay ends.
  ///
  ///     try replay.onSecret { event in
  ///       event.name == "RequestSignIn" ? .event(RequestSignIn(password: known)) : nil
  ///     }
  ///
  /// - Parameter body: What it throws, and what is no such event, is thrown by the next call that feeds; `nil`:
  ///   nobody is asked any more.
  /// - Throws: ``Status/busy`` inside a callback, ``Status/stale`` when the replay is closed.
  public func onSecret(
    _ body: ((borrowing Delivery) throws -> Secret?)?
  ) throws(StreamError) {
    guard let body else {
      return try StreamError.check(mainstem_replay_on_secret(handle, nil, nil, nil))
    }
    // Not the replay itself: it would never be released.
    let (handle, types, failed) = (handle, context.types, failed)
    let callback = Callback { event in
      do {
        guard let secret = try body(Delivery(event, types: types)) else { return }
        try secret.supply(to: handle, for: event.pointee, types)
      } catch {
        failed.note(error)
      }
    }
    try callback.keep { userData, release in
      mainstem_replay_on_secret(handle, Callback.call, userData, release)
    }
  }
}

/// Why a secret was not supplied, until the call that feeds throws it.
final class FailedSecret {
  private var error: StreamError?

  /// What an error says may quote the secret: only its type is kept.
  func note(_ thrown: any Error) {
    guard error == nil else { return }
    error =
      thrown as? StreamError ?? StreamError(.incomplete, "onSecret: \(type(of: thrown)): <secret>")
  }

  func check() throws(StreamError) {
    guard let error else { return }
    self.error = nil
    throw error
  }
}
