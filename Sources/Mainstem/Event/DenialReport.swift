// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
