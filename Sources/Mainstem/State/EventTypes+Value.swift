// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Values as payloads, where their type is used once.
extension EventTypes {
  /// Decodes what an event shows.
  func value<Value: Decodable>(
    _ type: Value.Type = Value.self, of event: mainstem_event
  ) throws -> Value {
    try ValueForm(type).value(type, of: event, self)
  }

  /// Encodes what a view writes.
  func bytes<Value: Encodable>(of value: Value) throws(StreamError) -> [UInt8] {
    do {
      return try ValueForm(Value.self).bytes(of: value, self)
    } catch {
      throw StreamError(.invalid, "\(Value.self): \(error)")
    }
  }
}
