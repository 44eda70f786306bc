// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
