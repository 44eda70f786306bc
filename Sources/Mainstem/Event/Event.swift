// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What happened, or what is asked: an immutable value.
///
/// A conforming struct is an event type; its fields are the payload. Nothing else has to be
/// written: the name is the type's name, and the payload travels as JSON, so that C and Python
/// programs on the same context read the same object. An event without fields has no payload.
///
///     struct ResponseTodo: Response { var todo: Todo }
///     struct RequestToggle: Request {
///       typealias Answer = ResponseTodo
///       var id: Int
///     }
///
/// Event types are registered with a context when they are first used there.
public protocol Event: Codable, Equatable, Sendable {
  /// The name under which all languages know the type; the type's own name if not given.
  static var name: String { get }

  /// The part of the app that the type belongs to; ``Layer/app`` if not given.
  static var layer: Layer { get }

  /// What its payload looks like; follows from the fields if not given.
  static var payload: Payload { get }

  /// What a journal keeps of its events; ``RecordMode/full`` if not given.
  static var record: RecordMode { get }

  /// Whether its events are secrets: passwords, keys. A journal keeps a mark of them at most, no
  /// description shows them. False if not given.
  static var isSecret: Bool { get }

  /// Whether it asks, answers or tells. Follows from ``Request``, ``Response`` or ``Notice``.
  static var role: Role { get }

  /// The type that answers it; `nil` for all but requests.
  static var answer: (any Response.Type)? { get }

  /// The payload as bytes.
  ///
  /// - Parameter coder: The coder of the context, for payloads of its kind.
  /// - Returns: The bytes, in the form that ``payload`` promises.
  /// - Throws: What the coder throws for a value that has no such form.
  func encoded(by coder: any PayloadCoder) throws -> [UInt8]

  /// The event that a payload stands for.
  ///
  /// - Parameters:
  ///   - bytes: The payload.
  ///   - coder: The coder of the context, for payloads of its kind.
  /// - Returns: The event.
  /// - Throws: What the coder throws for bytes that are no such event.
  static func decoded(from bytes: [UInt8], by coder: any PayloadCoder) throws -> Self
}

extension Event {
  /// The type's own name.
  public static var name: String { String(describing: Self.self) }

  /// No layer in particular.
  public static var layer: Layer { .app }

  /// None for a type without fields, else what the context's coder makes.
  public static var payload: Payload { MemoryLayout<Self>.size == 0 ? .none : .json }

  /// All of it.
  public static var record: RecordMode { .full }

  /// No secret.
  public static var isSecret: Bool { false }

  /// It tells.
  public static var role: Role { .notice }

  /// No answer.
  public static var answer: (any Response.Type)? { nil }

  /// Empty for a type without fields, else the coder's work.
  public func encoded(by coder: any PayloadCoder) throws -> [UInt8] {
    Self.payload == .none ? [] : try coder.encode(self)
  }

  /// The one value of a type without fields, else the coder's work.
  public static func decoded(from bytes: [UInt8], by coder: any PayloadCoder) throws -> Self {
    guard Self.payload == .none else { return try coder.decode(Self.self, from: bytes) }
    return try Self(from: EmptyDecoder())
  }
}
