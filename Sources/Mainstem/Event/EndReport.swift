// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The library's report that a scope ends: an owner that was opened, or a scope that has opened one or has a value.
///
/// It is sent through the scope that ends. An owner still lives until it has been delivered. A context knows the type
/// from its first factory (`Context.addFactory(_:layer:_:)`) or its first value type on.
public struct EndReport: Notice {
  /// The number of the scope that ends: see ``Context/number``.
  public var number: UInt64

  /// The name of the library's own type.
  public static let name: String = "MainstemEnded"
  /// ``Layer/system``: the library's own layer.
  public static let layer: Layer = .system
  /// The number alone.
  public static let payload: Payload = .integer

  /// Makes a report to compare with.
  ///
  /// - Parameter number: The number of the scope that ends.
  public init(number: UInt64) { self.number = number }

  /// Returns the bytes of the number.
  public func encoded(by coder: any PayloadCoder) -> [UInt8] { number.payload }

  /// Makes the report from the bytes of its number.
  public static func decoded(from bytes: [UInt8], by coder: any PayloadCoder) throws -> Self {
    Self(number: try UInt64(payload: bytes))
  }
}

/// The number of a scope, as a payload.
extension UInt64 {
  var payload: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }

  init(payload bytes: [UInt8]) throws {
    guard bytes.count == MemoryLayout<UInt64>.size else {
      let message = "\(bytes.count) bytes, which are no number of a scope"
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: message))
    }
    self = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
  }
}
