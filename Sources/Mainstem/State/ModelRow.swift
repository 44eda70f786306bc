// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a view model shows, or can be told: a row of its table.
struct ModelRow<S: Server> {
  enum Kind { case shows, writable, pulses, command }

  /// The part of the type's name behind the owner's.
  let name: String
  let kind: Kind
  /// What its events carry.
  let payload: Payload
  /// The Swift type of that; nil: none.
  var type: Any.Type?
  /// What a journal keeps of them.
  var record = RecordMode.full
  /// Whether they are secrets.
  var isSecret = false
  /// The property that it shows, of the view model or of a reactor's state: so a command names what enables it.
  var property: AnyKeyPath?
  /// Of a command: the property that enables it.
  var enabled: AnyKeyPath?
  /// Of a command: whether it is enabled; nil: always.
  var isEnabled: ((S) -> Bool)?
  /// Of a command: what happens to a run while another executes.
  var policy = CommandPolicy.refuse
  /// Of a command: the name of the one that ends its runs.
  var cancelledBy: String?
  /// Of a command: what its answer carries, and the Swift type of that.
  var answer = Payload.none
  var answerType: Any.Type?
  /// Begins a row of one view model.
  let begin: (ModelHouse<S>) -> LiveRow
}
