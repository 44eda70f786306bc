// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a signal sends: any number of values, then one end.
public enum SignalEvent<Value, Failure: Error> {
  /// A value.
  case next(Value)
  /// The end: all went well.
  case completed
  /// The end: it failed.
  case failed(Failure)
}

extension SignalEvent: Sendable where Value: Sendable {}
extension SignalEvent: Equatable where Value: Equatable, Failure: Equatable {}

extension SignalEvent {
  /// Whether nothing comes after it.
  @inlinable public var isEnd: Bool {
    if case .next = self { false } else { true }
  }
}
