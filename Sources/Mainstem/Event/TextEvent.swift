// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An event whose payload is its text, as UTF-8, and nothing else.
///
///     struct RequestGreet: Request, TextEvent {
///       typealias Answer = ResponseGreeting
///       var text: String
///     }
public protocol TextEvent: Event {
  /// The payload.
  var text: String { get }

  /// Makes the event that carries a text.
  ///
  /// - Parameter text: The payload.
  init(text: String)
}

extension TextEvent {
  /// UTF-8 text.
  public static var payload: Payload { .text }

  /// The text's UTF-8.
  public func encoded(by coder: any PayloadCoder) -> [UInt8] { Array(text.utf8) }

  /// The event that carries this UTF-8.
  public static func decoded(from bytes: [UInt8], by coder: any PayloadCoder) -> Self {
    Self(text: String(decoding: bytes, as: UTF8.self))
  }
}
