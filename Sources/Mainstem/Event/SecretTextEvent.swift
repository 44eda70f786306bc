// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A secret event whose payload is one text, as UTF-8, and nothing else: a password, a key.
///
///     struct RequestSignIn: Request, SecretTextEvent {
///       typealias Answer = ResponseSignIn
///       var text: SecretText
///     }
///
/// The library overwrites each copy of it that it has made. JSON leaves texts in memory; this does not.
public protocol SecretTextEvent: Event {
  /// The payload.
  var text: SecretText { get }

  /// Makes an event that carries a text.
  ///
  /// - Parameter text: The payload.
  init(text: SecretText)
}

extension SecretTextEvent {
  /// A secret.
  public static var isSecret: Bool { true }

  /// UTF-8 text.
  public static var payload: Payload { .text }

  /// Returns the text as UTF-8.
  public func encoded(by coder: any PayloadCoder) -> [UInt8] {
    text.withBytes { [UInt8](ofSecret: $0) }
  }

  /// Makes the event from UTF-8.
  public static func decoded(from bytes: [UInt8], by coder: any PayloadCoder) -> Self {
    Self(text: bytes.withUnsafeBytes { SecretText(copying: $0) })
  }

  /// Fails: a secret text is no part of something else.
  public init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "\(Self.name) travels alone"))
  }

  /// Fails: a secret text is no part of something else.
  public func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      "<secret>",
      .init(codingPath: encoder.codingPath, debugDescription: "\(Self.name) travels alone"))
  }
}
