// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

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

extension Layer {
  /// Its number in a contract; a new layer gets one.
  func contract(in context: OpaquePointer?) throws(StreamError) -> mainstem_contract {
    var layer: mainstem_contract = 0
    try StreamError.check(mainstem_layer_add(context, name, &layer))
    return layer
  }
}

/// What may be done through a scope, by layer. Rights can only narrow the parent's.
///
///     let view = try context.scope("View", rights: Rights(sends: [.view], observes: [.view]))
public struct Rights: Sendable, Hashable {
  /// The layers whose events may be sent; `nil`: the parent's, or none with ``ContextOptions/denyByDefault``.
  public var sends: Set<Layer>?
  /// The layers whose events may be observed; `nil`: as for `sends`.
  public var observes: Set<Layer>?

  /// Makes rights; without arguments, the parent's.
  ///
  /// - Parameters:
  ///   - sends: The layers whose events may be sent; `nil`: the parent's.
  ///   - observes: The layers whose events may be observed; `nil`: the parent's.
  public init(sends: Set<Layer>? = nil, observes: Set<Layer>? = nil) {
    self.sends = sends
    self.observes = observes
  }
}

extension Rights {
  /// A scope's options with these rights, with the bits of the layers in a context.
  package func options(in context: OpaquePointer?) throws(StreamError) -> mainstem_scope_options {
    var options = mainstem_scope_options()
    options.size = UInt32(MemoryLayout<mainstem_scope_options>.size)
    if let sends {
      options.send_layers = try Rights.bits(of: sends, in: context)
      if sends.isEmpty { options.flags |= UInt32(MAINSTEM_SCOPE_SENDS_NOTHING) }
    }
    if let observes {
      options.observe_layers = try Rights.bits(of: observes, in: context)
      if observes.isEmpty { options.flags |= UInt32(MAINSTEM_SCOPE_OBSERVES_NOTHING) }
    }
    return options
  }

  private static func bits(
    of layers: Set<Layer>, in context: OpaquePointer?
  ) throws(StreamError) -> UInt64 {
    var bits: UInt64 = 0
    // Sorted by name: the order of a set must not decide which number a new layer gets.
    for layer in layers.sorted(by: { $0.name < $1.name }) {
      bits |= 1 << (try layer.contract(in: context) >> 40)
    }
    return bits
  }
}
