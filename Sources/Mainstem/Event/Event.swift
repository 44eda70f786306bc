// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What happened, or what is asked: an immutable value.
///
/// A conforming struct is an event type; its fields are the payload. Nothing else is needed: the
/// name is the type's name, and the payload is sent as JSON, so C and Python programs on the same
/// context read the same object. An event without fields has no payload.
///
///     struct ResponseTodo: Response { var todo: Todo }
///     struct RequestToggle: Request {
///       typealias Answer = ResponseTodo
///       var id: Int
///     }
///
/// An event type is registered with a context the first time it is used there.
public protocol Event: Codable, Equatable, Sendable {
  /// The type's name in every language. The default is the name of the Swift type.
  static var name: String { get }

  /// The part of the app the type belongs to. The default is ``Layer/app``.
  static var layer: Layer { get }

  /// What its payload looks like. The default follows from the fields.
  static var payload: Payload { get }

  /// What a journal keeps of its events. The default is ``RecordMode/full``.
  static var record: RecordMode { get }

  /// Whether its events are secrets: passwords, keys. A journal keeps at most their mark, and no
  /// description shows them. The default is false.
  static var isSecret: Bool { get }

  /// Whether it asks, answers or tells, which is set by ``Request``, ``Response`` and ``Notice``; or
  /// changes a value: ``Role/value``.
  static var role: Role { get }

  /// The type that answers it; `nil` except for requests.
  static var answer: (any Response.Type)? { get }

  /// Encodes the event as a payload.
  ///
  /// - Parameter coder: The context's coder, for payloads of its kind.
  /// - Returns: The bytes, in the form that ``payload`` declares.
  /// - Throws: What the coder throws for a value it cannot encode.
  func encoded(by coder: any PayloadCoder) throws -> [UInt8]

  /// Decodes an event from a payload.
  ///
  /// - Parameters:
  ///   - bytes: The payload.
  ///   - coder: The context's coder, for payloads of its kind.
  /// - Returns: The event.
  /// - Throws: What the coder throws for bytes it cannot decode.
  static func decoded(from bytes: [UInt8], by coder: any PayloadCoder) throws -> Self
}

extension Event {
  /// The name of the Swift type.
  public static var name: String { String(describing: Self.self) }

  /// No layer in particular.
  public static var layer: Layer { .app }

  /// ``Payload/none`` for a type without fields, otherwise JSON.
  public static var payload: Payload { MemoryLayout<Self>.size == 0 ? .none : .json }

  /// Everything is kept.
  public static var record: RecordMode { .full }

  /// Not a secret.
  public static var isSecret: Bool { false }

  /// It tells.
  public static var role: Role { .notice }

  /// No answer.
  public static var answer: (any Response.Type)? { nil }

  /// Returns no bytes for a type without fields, otherwise what the coder encodes.
  public func encoded(by coder: any PayloadCoder) throws -> [UInt8] {
    Self.payload == .none ? [] : try coder.encode(self)
  }

  /// Returns the one value of a type without fields, otherwise what the coder decodes.
  public static func decoded(from bytes: [UInt8], by coder: any PayloadCoder) throws -> Self {
    guard Self.payload == .none else { return try coder.decode(Self.self, from: bytes) }
    return try Self(from: EmptyDecoder())
  }
}

/// An event that asks.
///
/// Made with `Context.request(_:timeout:)`, it gets exactly one ``Answer``. A request that is
/// only sent is owed no answer.
public protocol Request: Event {
  /// The type of its response.
  associatedtype Answer: Response
}

extension Request {
  /// It asks.
  public static var role: Role { .request }

  /// ``Answer``.
  public static var answer: (any Response.Type)? { Answer.self }
}

/// An event that answers.
///
/// Its fields are the answer on success. A failed response carries a ``Failure`` instead.
public protocol Response: Event {}

extension Response {
  /// It answers.
  public static var role: Role { .response }
}

/// An event that tells what happened, and expects no answer.
public protocol Notice: Event {}

/// What an event type is for.
public enum Role: Sendable, Hashable {
  /// It asks.
  case request
  /// It answers.
  case response
  /// It tells.
  case notice
  /// It changes a value: see ``Context/set(_:)``.
  case value
}

extension Role {
  var contract: mainstem_contract {
    switch self {
    case .request: MAINSTEM_ROLE_REQUEST
    case .response: MAINSTEM_ROLE_RESPONSE
    case .notice: MAINSTEM_ROLE_NOTICE
    case .value: MAINSTEM_ROLE_VALUE
    }
  }
}

/// What the bytes of an event look like; checked when an event is sent.
public enum Payload: Sendable, Hashable {
  /// No bytes at all.
  case none
  /// Any bytes.
  case bytes
  /// UTF-8 text.
  case text
  /// JSON text.
  case json
  /// Exactly this many bytes: a C struct.
  case structure(size: UInt32)
  /// One byte, 0 or 1: a ``ScalarEvent`` of `Bool`.
  case bool
  /// 64 bits: a ``ScalarEvent`` of `Int` or `Int64`.
  case integer
  /// 64 bits: a ``ScalarEvent`` of `Double`.
  case number
}

extension Payload {
  var contract: mainstem_contract {
    switch self {
    case .none: MAINSTEM_PAYLOAD_NONE
    case .bytes: MAINSTEM_PAYLOAD_BYTES
    case .text: MAINSTEM_PAYLOAD_TEXT
    case .json: MAINSTEM_PAYLOAD_JSON
    case .structure(let size): MAINSTEM_PAYLOAD_STRUCT | mainstem_contract(size)
    case .bool: MAINSTEM_PAYLOAD_BOOL
    case .integer: MAINSTEM_PAYLOAD_INTEGER
    case .number: MAINSTEM_PAYLOAD_NUMBER
    }
  }
}

/// What a journal keeps of the events of a type.
public enum RecordMode: Sendable, Hashable {
  /// Everything: the default.
  case full
  /// Position, type, cause, time and flags.
  case mark
  /// Nothing: its position is skipped.
  case none
  /// Inputs in full. Of an output only the mark and a digest of its payload, which verify compares. For
  /// big values.
  case inputs
}

extension RecordMode {
  var contract: mainstem_contract {
    switch self {
    case .full: MAINSTEM_RECORD_FULL
    case .mark: MAINSTEM_RECORD_MARK
    case .none: MAINSTEM_RECORD_NONE
    case .inputs: MAINSTEM_RECORD_INPUTS
    }
  }
}
