// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// How mutations travel: as values do; of a type without fields, without a payload.
struct MutationForm<Mutation: Codable> {
  private let form: ValueForm
  private let isEmpty: Bool

  init(_ type: Mutation.Type) {
    form = ValueForm(type)
    isEmpty = form == .json && (try? Mutation(from: EmptyDecoder())) != nil
  }

  var payload: Payload { isEmpty ? .none : form.payload }

  /// Passes the bytes of a mutation to `body`.
  func with(
    _ mutation: Mutation, _ types: EventTypes, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if isEmpty { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    if try form.with(mutation, body) { return }
    try types.coder.encode(mutation).withUnsafeBytes(body)
  }
}
