// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The part of an app that an event type belongs to.
///
/// Six are there already; an app adds its own by naming it: `Layer("billing")`. 64 at most in one
/// context.
public struct Layer: Sendable, Hashable {
  /// The name under which all languages know the layer.
  public let name: String

  /// A layer by its name.
  ///
  /// - Parameter name: 1 to 255 bytes of UTF-8.
  public init(_ name: String) { self.name = name }

  /// No layer in particular.
  public static let app = Layer("app")
  /// The data.
  public static let model = Layer("model")
  /// The data, ready to be shown.
  public static let viewModel = Layer("viewmodel")
  /// What the user sees and does.
  public static let view = Layer("view")
  /// Where the app goes.
  public static let navigation = Layer("navigation")
  /// The library's own reports.
  public static let system = Layer("system")
}
