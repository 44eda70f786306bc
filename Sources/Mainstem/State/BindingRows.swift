// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a view shows of its owner: a closure for each value.
public struct BindingRows {
  private(set) var rows: [Row] = []

  struct Row {
    typealias Show = (Binding, borrowing Delivery) throws -> Void

    let name: String
    /// Gets what the value's type carries, and makes the function that shows it; nil: only change sets.
    let show: ((ValueContract) throws(StreamError) -> Show)?
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
    show(name, onHost: onHost) { _, value in try body(value) }
  }

  /// Shows a value: the closure gets the binding, too, which may be on its way to whoever binds.
  ///
  /// - Parameters:
  ///   - name: The part of the type's name behind the owner's.
  ///   - onHost: Whether a drain calls it; otherwise, whoever delivers.
  ///   - body: Gets the binding and the value.
  public mutating func show<Value: Decodable>(
    _ name: String, onHost: Bool = false, _ body: @escaping (Binding, Value) throws -> Void
  ) {
    add(name, onHost ? UInt32(MAINSTEM_BINDING_ON_HOST) : 0, body)
  }

  /// Shows a value in a control that also changes it: a drain calls the closure with the newest value, but not with what
  /// the binding has set, nor with what is older than that. While it runs, what it sets of the value, through this binding
  /// or another, is ignored.
  ///
  /// - Parameters:
  ///   - name: The part of the type's name behind the owner's. The type is a value: ``Role/value``.
  ///   - body: Gets the value.
  public mutating func twoWay<Value: Decodable>(
    _ name: String, _ body: @escaping (Value) throws -> Void
  ) {
    twoWay(name) { _, value in try body(value) }
  }

  /// Shows a value in a control that also changes it: the closure gets the binding, too.
  ///
  ///     rows.twoWay("title") { view, title in field.show(title) { try view.set("title", $0) } }
  ///
  /// - Parameters:
  ///   - name: The part of the type's name behind the owner's. The type is a value: ``Role/value``.
  ///   - body: Gets the binding and the value.
  public mutating func twoWay<Value: Decodable>(
    _ name: String, _ body: @escaping (Binding, Value) throws -> Void
  ) {
    add(name, UInt32(MAINSTEM_BINDING_TWO_WAY), body)
  }

  private mutating func add<Value: Decodable>(
    _ name: String, _ flags: UInt32, _ body: @escaping (Binding, Value) throws -> Void
  ) {
    rows.append(
      Row(
        name: name,
        show: { contract throws(StreamError) in
          try contract.checkReading(as: Value.self)
          return { binding, delivery in
            try body(
              binding, contract.value(Value.self, of: delivery.event.pointee, delivery.types))
          }
        }, flags: flags))
  }

  /// Reads a value, for a test: what cannot be read is its own, and no failure of the program.
  package mutating func read<Value: Decodable>(
    _ name: String, _ body: @escaping (Result<Value, any Error>) -> Void
  ) {
    rows.append(
      Row(
        name: name,
        show: { contract throws(StreamError) in
          try contract.checkReading(as: Value.self)
          return { _, delivery in
            let event = delivery.event.pointee
            body(Result { try contract.value(Value.self, of: event, delivery.types) })
          }
        }))
  }

  /// Lets ``Binding/onChanges(_:)`` hear of a value that is not shown by itself.
  ///
  /// - Parameter name: The part of the type's name behind the owner's.
  public mutating func watch(_ name: String) { rows.append(Row(name: name, show: nil)) }
}
