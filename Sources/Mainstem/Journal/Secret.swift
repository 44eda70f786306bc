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
