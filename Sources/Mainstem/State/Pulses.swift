// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a view model tells once: each is seen, none is kept.
///
///     var alert = Pulses<String>()
///
///     mutating func failed(_ failure: Failure) { alert(failure.userMessage) }
///
/// Views get it after the values of the same step, if the table has `on.pulse("alert", \.alert)`.
public struct Pulses<Value> {
  /// What is to be told, in order.
  public private(set) var waiting: [Value] = []

  /// Makes one that has nothing to tell.
  public init() {}

  /// Tells something.
  ///
  /// - Parameter value: What is told.
  public mutating func callAsFunction(_ value: Value) { waiting.append(value) }

  mutating func take() -> [Value] {
    defer { waiting = [] }
    return waiting
  }
}

extension Pulses: Equatable where Value: Equatable {}
extension Pulses: Sendable where Value: Sendable {}
