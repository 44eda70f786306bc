// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Sets one value of an owner.
struct ValueSetter {
  let scope: OpaquePointer?
  let number: mainstem_event_type
  let types: EventTypes

  /// Sets a value by its bytes; if they are there already, nothing is sent.
  func set(_ bytes: UnsafeRawBufferPointer) throws(StreamError) {
    try StreamError.check(mainstem_value_set(scope, number, bytes.baseAddress, bytes.count))
  }

  /// Sets a value by its bytes.
  func set(_ bytes: [UInt8]) throws(StreamError) {
    try StreamError.check(mainstem_value_set(scope, number, bytes, bytes.count))
  }
}

/// What was shown last of a value whose bytes cost something.
///
/// Equal values are not encoded again. Their bytes are set all the same: somebody else may have set the value.
final class ShownLast<Made: Equatable> {
  private var made: Made?
  private var bytes: [UInt8] = []

  func show(
    _ now: Made, _ setter: ValueSetter, _ encode: (EventTypes) throws -> [UInt8]
  ) throws {
    if made != now {
      made = nil
      bytes = try encode(setter.types)
      made = now
    }
    try setter.set(bytes)
  }
}
