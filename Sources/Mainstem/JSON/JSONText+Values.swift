// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

extension JSONText {
  /// Decodes any value at a token.
  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type, at token: Int) throws -> Value {
    if type == String.self { return known(try string(at: token), as: type) }
    if type == Int.self { return known(try integer(Int.self, at: token), as: type) }
    if type == Double.self { return known(try double(at: token), as: type) }
    if type == Bool.self { return known(try bool(at: token), as: type) }
    let form = forms.find(type)
    if form.rawValue > JSONForm.own.rawValue, form != .hashed {
      return try inForm(type, form, at: token)
    }
    return try type.init(from: JSONDecoding(text: self, token: Int32(truncatingIfNeeded: token)))
  }

  /// Decodes the types that have a form of their own. What they looked like before is left to Foundation.
  @inline(never)
  private func inForm<Value: Decodable>(
    _ type: Value.Type, _ form: JSONForm, at token: Int
  ) throws -> Value {
    if form == .date, tokens.start[token].kind == .number {
      return known(Date(timeIntervalSinceReferenceDate: try double(at: token)), as: type)
    }
    guard let value = WireForm.value(type, form, of: try string(at: token)) else { throw beyond() }
    return value
  }

  func object(at token: Int) throws -> Int {
    if tokens.start[token].kind != .object { throw mismatch([String: Any].self, at: token) }
    // Looking up keys in no order takes its time.
    if !tokens.start[token].isOrdered, tokens.start[token].count > 64 { throw beyond() }
    return token
  }

  func array(at token: Int) throws -> Int {
    if tokens.start[token].kind != .array { throw mismatch([Any].self, at: token) }
    return token
  }
}
