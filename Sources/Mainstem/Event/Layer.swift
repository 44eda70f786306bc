// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The part of an app that an event type belongs to.
///
/// Six are built in; an app adds its own by naming it: `Layer("billing")`. A context has at most 64.
public struct Layer: Sendable, Hashable {
  /// The layer's name in every language.
  public let name: String

  /// Makes a layer from its name.
  ///
  /// - Parameter name: 1 to 255 bytes of UTF-8.
  public init(_ name: String) { self.name = name }

  /// No layer in particular.
  public static let app = Layer("app")
  /// The data.
  public static let model = Layer("model")
  /// The data, ready to show.
  public static let viewModel = Layer("viewmodel")
  /// What the user sees and does.
  public static let view = Layer("view")
  /// Where the app goes.
  public static let navigation = Layer("navigation")
  /// The library's own reports.
  public static let system = Layer("system")
}
