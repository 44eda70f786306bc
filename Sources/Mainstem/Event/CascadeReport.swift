// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
