// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// How mutations travel: as values do; of a type without fields, without a payload.
@usableFromInline struct MutationForm {
  @usableFromInline let form: ValueForm
  @usableFromInline let isEmpty: Bool

  init<Mutation: Codable>(_ type: Mutation.Type) {
    form = ValueForm(type)
    isEmpty = form == .json && (try? Mutation(from: EmptyDecoder())) != nil
  }

  var payload: Payload { isEmpty ? .none : form.payload }
}
