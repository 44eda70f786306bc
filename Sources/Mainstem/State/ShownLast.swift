// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What was shown last of a value, so that what is equal is not encoded again.
///
/// The bytes are set all the same: somebody else may have set the value.
final class ShownLast<Value> {
  // The core calls one show at a time.
  @exclusivity(unchecked) private var value: Value
  @exclusivity(unchecked) private(set) var bytes: [UInt8]

  init(_ value: Value, _ bytes: [UInt8]) {
    self.value = value
    self.bytes = bytes
  }

  /// Takes the present value; if it is another one, it is encoded.
  func take(
    _ now: Value, _ isEqual: (Value, Value) -> Bool, _ encode: (Value) throws -> [UInt8]
  ) throws {
    if isEqual(value, now) { return }
    bytes = try encode(now)
    value = now
  }
}

/// What a value is made of: one property, as it was.
class ShownSource {
  /// Whether it is another one than at the call before.
  func hasChanged() -> Bool { false }
}

final class ShownProperty<Value: Equatable>: ShownSource {
  private let read: () -> Value
  // The core calls one show at a time.
  @exclusivity(unchecked) private var last: Value

  init(_ read: @escaping () -> Value) {
    self.read = read
    last = read()
  }

  override func hasChanged() -> Bool {
    let now = read()
    if now == last { return false }
    last = now
    return true
  }
}
