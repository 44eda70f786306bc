// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A point in time: microseconds since 1970, so that it travels as one whole number.
public struct Moment: Sendable, Hashable, Comparable {
  /// Microseconds since 1970, UTC.
  public let microseconds: Int64

  /// Creates a moment from its microseconds since 1970.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The moment one step later.
  public var next: Moment { Moment(microseconds: microseconds &+ 1) }

  public static func < (left: Moment, right: Moment) -> Bool {
    left.microseconds < right.microseconds
  }
}

extension Moment: Codable {
  public init(from decoder: any Decoder) throws {
    microseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }
}
