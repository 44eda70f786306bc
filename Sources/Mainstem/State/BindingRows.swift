// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a view shows of its owner: a closure for each value.
public struct BindingRows {
  private(set) var rows: [Row] = []

  struct Row {
    let name: String
    /// Nil: only change sets.
    let show: ((borrowing Delivery) throws -> Void)?
    /// How C calls it.
    var flags: UInt32 = 0
  }

  /// Shows a value: the closure gets what is kept of it, then each change.
  ///
  /// - Parameters:
  ///   - name: The part of the type's name behind the owner's: `username` for `Lookup.username`.
  ///   - onHost: Whether a drain calls it; otherwise, whoever delivers.
  ///   - body: Gets the value: a `Bool`, an `Int`, a `Double`, a `String`, or what JSON holds.
  public mutating func show<Value: Decodable>(
    _ name: String, onHost: Bool = false, _ body: @escaping (Value) throws -> Void
  ) {
    add(name, onHost ? UInt32(MAINSTEM_BINDING_ON_HOST) : 0, body)
  }

  /// Shows a value in a control that also changes it: a drain calls the closure with the newest value, but not with what
  /// the binding has set, nor with what is older than that. While it runs, what it sets of the value through the binding
  /// is ignored.
  ///
  /// - Parameters:
  ///   - name: The part of the type's name behind the owner's. The type is a value: ``Role/value``.
  ///   - body: Gets the value.
  public mutating func twoWay<Value: Decodable>(
    _ name: String, _ body: @escaping (Value) throws -> Void
  ) {
    add(name, UInt32(MAINSTEM_BINDING_TWO_WAY), body)
  }

  private mutating func add<Value: Decodable>(
    _ name: String, _ flags: UInt32, _ body: @escaping (Value) throws -> Void
  ) {
    let form = ValueForm(Value.self)
    let show = { (delivery: borrowing Delivery) throws in
      try body(form.value(Value.self, of: delivery.event.pointee, delivery.types))
    }
    rows.append(Row(name: name, show: show, flags: flags))
  }

  /// Lets ``Binding/onChanges(_:)`` hear of a value that is not shown by itself.
  ///
  /// - Parameter name: The part of the type's name behind the owner's.
  public mutating func watch(_ name: String) { rows.append(Row(name: name, show: nil)) }
}
