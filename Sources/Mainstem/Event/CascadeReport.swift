// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The library's report of a cascade that was cut at its limit, at the 1st, 2nd, 4th, 8th … time.
public struct CascadeReport: Notice {
  /// The type of the event that was refused.
  public var type: String
  /// The scope it was sent through; empty for the context itself.
  public var origin: String
  /// How many causes back to the outside event there may be.
  public var limit: UInt64
  /// The types that led there, the last one last.
  public var chain: [String]
  /// How often a cascade was cut by now.
  public var count: Int

  /// The library's own type.
  public static let name: String = "MainstemLimit"
  /// The library's own layer.
  public static let layer: Layer = .system

  /// Makes a report, to compare with one.
  ///
  /// - Parameters:
  ///   - type: The type of the event that was refused.
  ///   - origin: The scope it was sent through.
  ///   - limit: How many causes there may be.
  ///   - chain: The types that led there.
  ///   - count: How often a cascade was cut by then.
  public init(type: String, origin: String, limit: UInt64, chain: [String], count: Int) {
    self.type = type
    self.origin = origin
    self.limit = limit
    self.chain = chain
    self.count = count
  }
}
