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
