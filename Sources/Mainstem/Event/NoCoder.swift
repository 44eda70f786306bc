// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The coder of a context that was made with `coder: nil`: it refuses every value.
struct NoCoder: PayloadCoder {
  private struct Refusal: Error, CustomStringConvertible {
    let description = "the context was made without a payload coder: give it one, JSONCoder()"
  }

  func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    throw Refusal()
  }

  func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    throw Refusal()
  }
}
