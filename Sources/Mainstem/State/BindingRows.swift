// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a view shows of its owner: a closure for each value.
public struct BindingRows {
  private(set) var rows: [Row] = []

  struct Row {
    let name: String
    /// Nil: only change sets.
    let show: ((borrowing Delivery) throws -> Void)?
  }

  /// Shows a value: the closure gets what is kept of it, then each change.
  ///
  /// - Parameters:
  ///   - name: The part of the type's name behind the owner's: `username` for `Lookup.username`.
  ///   - body: Gets the value: a `Bool`, an `Int`, a `Double`, a `String`, or what JSON holds.
  public mutating func show<Value: Decodable>(
    _ name: String, _ body: @escaping (Value) throws -> Void
  ) {
    let form = ValueForm(Value.self)
    rows.append(
      Row(name: name) { try body(form.value(Value.self, of: $0.event.pointee, $0.types)) })
  }

  /// Lets ``Binding/onChanges(_:)`` hear of a value that is not shown by itself.
  ///
  /// - Parameter name: The part of the type's name behind the owner's.
  public mutating func watch(_ name: String) { rows.append(Row(name: name, show: nil)) }
}
