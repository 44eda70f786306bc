// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Replay {
  /// Asks a closure for the payloads of secrets, which a journal does not have.
  ///
  /// The closure gets each withheld event, with ``Status/withheld``, before it is fed. It returns what the event
  /// carried, or `nil` if it does not know. With ``ReplayMode/verify``, a supplied secret is an input like any other:
  /// what it causes is compared, and ``ReplayInfo/verifiedUntil`` goes on past it. The closure is released when another
  /// takes its place, or the replay ends.
  ///
  ///     try replay.onSecret { event in
  ///       event.name == "RequestSignIn" ? .event(RequestSignIn(password: known)) : nil
  ///     }
  ///
  /// - Parameter body: The closure; `nil`: nobody is asked any more. If it throws, or what it returns cannot be
  ///   supplied, the error is thrown by ``step(_:)``, ``toEnd()`` or ``seek(to:)``: the call in progress, or else the
  ///   next one.
  /// - Throws: ``Status/busy`` inside a callback, ``Status/stale`` if the replay is closed.
  public func onSecret(
    _ body: ((borrowing Delivery) throws -> Secret?)?
  ) throws(StreamError) {
    guard let body else {
      return try StreamError.check(mainstem_replay_on_secret(handle, nil, nil, nil))
    }
    // Capturing the replay itself would be a cycle: it would never be released.
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

/// The reason a secret was not supplied, kept until the call that feeds throws it.
final class FailedSecret {
  private var error: StreamError?

  /// Keeps an error. Its description may quote the secret, so only its type is kept.
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
