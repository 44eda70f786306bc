// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The library's report of a failed callback, sent at the subscription's 1st, 2nd, 4th, 8th … failure.
///
/// Its cause is the event the callback got.
public struct FailureReport: Notice {
  /// The type of the event the callback got.
  public var type: String
  /// The scope it was observed through; empty for the context itself.
  public var origin: String
  /// The code of the failure.
  public var code: Int32
  /// The message of the failure.
  public var message: String
  /// How often this callback has failed so far.
  public var count: Int

  /// The name of the library's own type.
  public static let name: String = "MainstemFailure"
  /// ``Layer/system``: the library's own layer.
  public static let layer: Layer = .system

  /// Makes a report to compare with.
  ///
  /// - Parameters:
  ///   - type: The type of the event the callback got.
  ///   - origin: The scope it was observed through.
  ///   - code: The code of the failure.
  ///   - message: The message of the failure.
  ///   - count: How often the callback has failed so far.
  public init(type: String, origin: String, code: Int32, message: String, count: Int) {
    self.type = type
    self.origin = origin
    self.code = code
    self.message = message
    self.count = count
  }
}

extension FailureReport {
  /// The members in journals, whose names never change.
  private enum CodingKeys: String, CodingKey {
    case type, origin, code, count
    case message = "sentence"
  }

  /// Reads a report. What C says of a refused call, it says in the words of this module.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      type: try fields.decode(String.self, forKey: .type),
      origin: try fields.decode(String.self, forKey: .origin),
      code: try fields.decode(Int32.self, forKey: .code),
      message: SwiftWords.translate(try fields.decode(String.self, forKey: .message)),
      count: try fields.decode(Int.self, forKey: .count))
  }
}

/// The library's report of a cascade that was cut at its limit, sent at the 1st, 2nd, 4th, 8th … cut.
public struct CascadeReport: Notice {
  /// The type of the refused event.
  public var type: String
  /// The scope it was sent through; empty for the context itself.
  public var origin: String
  /// The most causes allowed, counted back to the outside event.
  public var limit: UInt64
  /// The types that led there, in order.
  public var chain: [String]
  /// How many cascades have been cut so far.
  public var count: Int

  /// The name of the library's own type.
  public static let name: String = "MainstemLimit"
  /// ``Layer/system``: the library's own layer.
  public static let layer: Layer = .system

  /// Makes a report to compare with.
  ///
  /// - Parameters:
  ///   - type: The type of the refused event.
  ///   - origin: The scope it was sent through.
  ///   - limit: The most causes allowed.
  ///   - chain: The types that led there.
  ///   - count: How many cascades have been cut so far.
  public init(type: String, origin: String, limit: UInt64, chain: [String], count: Int) {
    self.type = type
    self.origin = origin
    self.limit = limit
    self.chain = chain
    self.count = count
  }
}

/// The library's report of a call beyond a scope's rights, sent at the scope's 1st, 2nd, 4th, 8th … denial.
public struct DenialReport: Notice {
  /// The name of the scope.
  public var origin: String
  /// What it tried to do: send, request, respond, observe, handle, register or add.
  public var what: String
  /// The event type; empty for an attempt to add a layer.
  public var type: String
  /// The name of the layer.
  public var layer: String
  /// How many calls of the scope have been denied so far.
  public var count: Int

  /// The name of the library's own type.
  public static let name: String = "MainstemDenied"
  /// ``Layer/system``: the library's own layer.
  public static let layer: Layer = .system

  /// Makes a report to compare with.
  ///
  /// - Parameters:
  ///   - origin: The name of the scope.
  ///   - what: What it tried to do.
  ///   - type: The event type.
  ///   - layer: The name of the layer.
  ///   - count: How many calls of the scope have been denied so far.
  public init(origin: String, what: String, type: String, layer: String, count: Int) {
    self.origin = origin
    self.what = what
    self.type = type
    self.layer = layer
    self.count = count
  }
}

/// The library's report that a request type has become busy or idle, for loading indicators.
///
/// It is sent for the types passed to ``Context/reportActivity(of:)``.
public struct ActivityReport: Notice {
  /// The name of the request type.
  public var type: String
  /// How many of its requests are open; 0: idle.
  public var count: Int

  /// The name of the library's own type.
  public static let name: String = "MainstemActivity"
  /// ``Layer/system``: the library's own layer.
  public static let layer: Layer = .system

  /// Makes a report to compare with.
  ///
  /// - Parameters:
  ///   - type: The name of the request type.
  ///   - count: How many of its requests are open.
  public init(type: String, count: Int) {
    self.type = type
    self.count = count
  }
}

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
