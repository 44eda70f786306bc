// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What the bytes of an event look like; checked when an event is sent.
public enum Payload: Sendable, Hashable {
  /// No bytes at all.
  case none
  /// Any bytes.
  case bytes
  /// UTF-8 text.
  case text
  /// JSON text.
  case json
  /// Exactly this many bytes: a C struct.
  case structure(size: UInt32)
  /// One byte, 0 or 1: a ``ScalarEvent`` of `Bool`.
  case bool
  /// 64 bits: a ``ScalarEvent`` of `Int` or `Int64`.
  case integer
  /// 64 bits: a ``ScalarEvent`` of `Double`.
  case number
}

extension Payload {
  var contract: mainstem_contract {
    switch self {
    case .none: MAINSTEM_PAYLOAD_NONE
    case .bytes: MAINSTEM_PAYLOAD_BYTES
    case .text: MAINSTEM_PAYLOAD_TEXT
    case .json: MAINSTEM_PAYLOAD_JSON
    case .structure(let size): MAINSTEM_PAYLOAD_STRUCT | mainstem_contract(size)
    case .bool: MAINSTEM_PAYLOAD_BOOL
    case .integer: MAINSTEM_PAYLOAD_INTEGER
    case .number: MAINSTEM_PAYLOAD_NUMBER
    }
  }
}
