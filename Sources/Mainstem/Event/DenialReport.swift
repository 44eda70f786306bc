// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The library's report of a call that a scope had no right to, at its 1st, 2nd, 4th, 8th … denial.
public struct DenialReport: Notice {
  /// The name of the scope.
  public var origin: String
  /// What it wanted to do: send, request, respond, observe, handle, register or add.
  public var what: String
  /// The type of event; empty when a layer was to be added.
  public var type: String
  /// The name of the layer.
  public var layer: String
  /// How often the scope was denied something by now.
  public var count: Int

  /// The library's own type.
  public static let name: String = "MainstemDenied"
  /// The library's own layer.
  public static let layer: Layer = .system

  /// Makes a report, to compare with one.
  ///
  /// - Parameters:
  ///   - origin: The name of the scope.
  ///   - what: What it wanted to do.
  ///   - type: The type of event.
  ///   - layer: The name of the layer.
  ///   - count: How often the scope was denied something by then.
  public init(origin: String, what: String, type: String, layer: String, count: Int) {
    self.origin = origin
    self.what = what
    self.type = type
    self.layer = layer
    self.count = count
  }
}
