// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An event whose payload is a text, as UTF-8, and nothing else.
///
///     struct RequestGreet: Request, TextEvent {
///       typealias Answer = ResponseGreeting
///       var text: String
///     }
public protocol TextEvent: Event {
  /// The payload.
  var text: String { get }

  /// Makes an event that carries a text.
  ///
  /// - Parameter text: The payload.
  init(text: String)
}

extension TextEvent {
  /// UTF-8 text.
  public static var payload: Payload { .text }

  /// Returns the text as UTF-8.
  public func encoded(by coder: any PayloadCoder) -> [UInt8] { Array(text.utf8) }

  /// Makes the event from UTF-8.
  public static func decoded(from bytes: [UInt8], by coder: any PayloadCoder) -> Self {
    Self(text: String(decoding: bytes, as: UTF8.self))
  }
}
