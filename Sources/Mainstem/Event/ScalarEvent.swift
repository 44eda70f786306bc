// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An event whose payload is one `Bool`, `Int` or `Double`, and nothing else.
///
///     struct VolumeChanged: Notice, ScalarEvent { var value: Double }
///
/// C reads it with `mainstem_event_number`; Python as an event of one `float`.
public protocol ScalarEvent: Event {
  /// `Bool`, `Int`, `Int64` or `Double`.
  associatedtype Value: Scalar

  /// The payload.
  var value: Value { get }

  /// Makes an event that carries a value.
  ///
  /// - Parameter value: The payload.
  init(value: Value)
}

extension ScalarEvent {
  /// ``Payload/bool``, ``Payload/integer`` or ``Payload/number``.
  public static var payload: Payload { Value.payload }

  /// Returns the bytes of the value.
  public func encoded(by coder: any PayloadCoder) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }

  /// Makes the event from the bytes of its value.
  public static func decoded(from bytes: [UInt8], by coder: any PayloadCoder) throws -> Self {
    guard bytes.count == MemoryLayout<Value>.size, Value.payload != .bool || bytes[0] <= 1 else {
      let message = "\(bytes.count) bytes, which are no \(Value.self)"
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: message))
    }
    return Self(value: bytes.withUnsafeBytes { $0.loadUnaligned(as: Value.self) })
  }
}

/// What a ``ScalarEvent`` may carry. Do not conform other types to it.
public protocol Scalar: BitwiseCopyable, Codable, Equatable, Sendable {
  /// What its bytes look like.
  static var payload: Payload { get }
}

extension Bool: Scalar {
  /// One byte, 0 or 1.
  public static var payload: Payload { .bool }
}

extension Int: Scalar {
  /// 64 bits.
  public static var payload: Payload { .integer }
}

extension Int64: Scalar {
  /// 64 bits.
  public static var payload: Payload { .integer }
}

extension Double: Scalar {
  /// 64 bits.
  public static var payload: Payload { .number }
}

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
