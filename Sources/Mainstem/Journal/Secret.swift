// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a secret carried. A journal does not have it, so a replay asks for it (``Replay/onSecret(_:)``).
public struct Secret {
  enum Content {
    case payload([UInt8])
    case event((EventTypes) throws(StreamError) -> (UInt32, [UInt8]))
    case failure(Failure)
  }

  let content: Content
  let answers: UInt64

  /// Makes a secret from an event.
  ///
  /// - Parameters:
  ///   - event: The event as it was sent.
  ///   - answers: The position of the request it answers; 0: the oldest open request with that response type.
  /// - Returns: The secret.
  public static func event<E: Event>(_ event: E, answers: UInt64 = 0) -> Secret {
    let content = Content.event { types throws(StreamError) in
      (try types.number(of: E.self), try types.encode(event))
    }
    return Secret(content: content, answers: answers)
  }

  /// Makes a secret from the bytes of a payload.
  ///
  /// - Parameters:
  ///   - bytes: The payload as it was sent.
  ///   - answers: As for ``event(_:answers:)``.
  /// - Returns: The secret.
  public static func payload(_ bytes: [UInt8], answers: UInt64 = 0) -> Secret {
    Secret(content: .payload(bytes), answers: answers)
  }

  /// Makes a secret from the failure of a failed response.
  ///
  /// - Parameters:
  ///   - failure: The failure.
  ///   - answers: As for ``event(_:answers:)``.
  /// - Returns: The secret.
  public static func failure(_ failure: Failure, answers: UInt64 = 0) -> Secret {
    Secret(content: .failure(failure), answers: answers)
  }
}

extension Secret {
  /// Supplies it to the replay that asks.
  func supply(
    to replay: OpaquePointer?, for event: mainstem_event, _ types: EventTypes
  ) throws(StreamError) {
    switch content {
    case .payload(let bytes): try supply(bytes, to: replay)
    case .event(let encode):
      let (number, bytes) = try encode(types)
      guard number == event.type else {
        throw StreamError(.invalid, "onSecret: the event that was supplied is of another type")
      }
      try supply(bytes, to: replay)
    case .failure(let failure):
      try StreamError.check(failure.withError { supply(replay, nil, 0, $0) })
    }
  }

  private func supply(_ bytes: [UInt8], to replay: OpaquePointer?) throws(StreamError) {
    try StreamError.check(bytes.withUnsafeBytes { supply(replay, $0.baseAddress, $0.count, nil) })
  }

  private func supply(
    _ replay: OpaquePointer?, _ data: UnsafeRawPointer?, _ size: Int,
    _ error: UnsafePointer<mainstem_error>?
  ) -> mainstem_status {
    var secret = mainstem_secret()
    secret.size = UInt32(MemoryLayout<mainstem_secret>.size)
    secret.answers = answers
    (secret.data, secret.data_size, secret.error) = (data, size, error)
    return mainstem_replay_supply(replay, &secret)
  }
}

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
