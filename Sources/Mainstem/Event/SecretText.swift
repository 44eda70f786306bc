// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A text that nobody is to see, such as a password: its memory is overwritten when the last copy of it is gone.
///
///     var password = SecretText()
///
/// A view model whose table has `on.writable("password", \.password)` gets what views write; a ``SecretTextEvent`` carries
/// it on. No description shows it, and it is not encoded. Copies share one memory. A `String` that it is made from, or
/// that is made from it, is not overwritten.
public struct SecretText: Equatable, Sendable {
  private let memory: OverwrittenMemory

  /// Makes one by writing its bytes.
  ///
  /// - Parameters:
  ///   - count: How many bytes it has.
  ///   - write: Gets the memory to fill, which is zero. `memcpy` leaves what it copies in vector registers.
  public init(count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) {
    memory = OverwrittenMemory(count: count)
    write(memory.bytes)
  }

  /// Makes an empty one.
  public init() { self.init(count: 0) { _ in } }

  /// Makes one from a text.
  ///
  /// - Parameter text: The text. It may stay in memory.
  public init(_ text: String) {
    var text = text
    self = text.withUTF8 { SecretText(copying: UnsafeRawBufferPointer($0)) }
  }

  /// Makes one from bytes in UTF-8.
  ///
  /// - Parameter bytes: The bytes, which the caller overwrites.
  public init(copying bytes: UnsafeRawBufferPointer) {
    self.init(count: bytes.count) { $0.copySecret(bytes) }
  }

  /// Joins two texts.
  ///
  /// - Parameters:
  ///   - first: The first.
  ///   - second: What follows.
  /// - Returns: Both, in memory of their own.
  public static func + (first: SecretText, second: SecretText) -> SecretText {
    let (one, other) = (first.memory.bytes, second.memory.bytes)
    return SecretText(count: one.count + other.count) {
      $0.copySecret(UnsafeRawBufferPointer(one))
      UnsafeMutableRawBufferPointer(rebasing: $0[one.count...])
        .copySecret(UnsafeRawBufferPointer(other))
    }
  }

  /// Whether it has no bytes.
  public var isEmpty: Bool { memory.bytes.isEmpty }

  /// Passes its bytes, in UTF-8, to a closure.
  ///
  /// - Parameter body: Gets the bytes, for the call. What it copies stays where it has copied it.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try body(UnsafeRawBufferPointer(memory.bytes))
  }

  /// Compares two, byte by byte.
  public static func == (one: SecretText, other: SecretText) -> Bool {
    one.memory.bytes.elementsEqual(other.memory.bytes)
  }
}

extension SecretText: CustomStringConvertible, CustomReflectable {
  /// `<secret>`.
  public var description: String { "<secret>" }
  /// Nothing of what is inside.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Memory that is overwritten before it is given back.
///
/// Sendable: nobody writes it once it is in a ``SecretText``.
private final class OverwrittenMemory: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer

  init(count: Int) {
    bytes = .allocate(byteCount: count, alignment: 1)
    mainstem_p_wipe(bytes.baseAddress, count)
  }

  deinit {
    mainstem_p_wipe(bytes.baseAddress, bytes.count)
    bytes.deallocate()
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Copies a secret to the beginning, byte by byte.
  func copySecret(_ bytes: UnsafeRawBufferPointer) {
    mainstem_p_copy_secret(baseAddress, bytes.baseAddress, Swift.min(bytes.count, count))
  }
}

extension [UInt8] {
  /// The payload of a secret, in memory of its own. Whoever has it wipes it.
  init(ofSecret bytes: UnsafeRawBufferPointer) {
    self.init(unsafeUninitializedCapacity: bytes.count) { memory, count in
      UnsafeMutableRawBufferPointer(memory).copySecret(bytes)
      count = bytes.count
    }
  }

  /// Overwrites it, and is empty then. What others have kept of it stays.
  mutating func wipe() {
    withUnsafeMutableBytes { mainstem_p_wipe($0.baseAddress, $0.count) }
    self = []
  }
}

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
