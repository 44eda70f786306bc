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
