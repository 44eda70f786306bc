// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// What a host says of one row of a model.
package struct ModelRowGiven {
  let name: Bytes
  let kind: Kind
  let contract: UInt64
  let function: mainstem_event_fn?
  let enabled: Bytes?
  let policy: Command.Policy
  let cancelledBy: Bytes?
  let answer: UInt64

  enum Kind: UInt32 {
    case shows = 1
    case writable = 2
    case pulses = 3
    case command = 4
  }

  /// Checks what a row says about itself.
  package init(_ row: mainstem_viewmodel_row) throws(Refusal) {
    guard let kind = Kind(rawValue: row.kind) else {
      throw Refusal(
        .invalid, "rows.kind", "is not MAINSTEM_VIEWMODEL_VALUE, _WRITABLE, _PULSE or _COMMAND")
    }
    guard let policy = Command.Policy(rawValue: row.policy) else {
      throw Refusal(.invalid, "rows.policy", "is not MAINSTEM_COMMAND_…")
    }
    name = try Name.check(row.name, "rows.name")
    enabled = row.enabled == nil ? nil : try Name.check(row.enabled, "rows.enabled")
    cancelledBy =
      row.cancelled_by == nil ? nil : try Name.check(row.cancelled_by, "rows.cancelled_by")
    (self.kind, self.policy, contract, answer) = (kind, policy, row.contract, row.answer)
    function = row.fn
    if kind == .command {
      guard function != nil else { throw .null("rows.fn") }
    } else {
      guard policy == .refuse, answer == 0, enabled == nil, cancelledBy == nil,
        function == nil || kind == .writable
      else {
        throw Refusal(
          .invalid, "rows", "has what only a command has: leave it out, or make it one")
      }
    }
    guard Contract(bits: contract).role == nil, Contract(bits: answer).role == nil else {
      throw Refusal(.invalid, "rows.contract", "has a role: leave it out, the kind says it")
    }
  }
}

extension ModelRowGiven {
  /// The row of a reactor's mutations.
  init(mutations contract: UInt64) throws(Refusal) {
    try self.init(
      mainstem_viewmodel_row(
        name: ("mutation" as Phrase).text, kind: Kind.pulses.rawValue, contract: contract, fn: nil,
        enabled: nil, policy: 0, answer: 0, cancelled_by: nil))
  }

  /// The contract of the row's type.
  var bits: UInt64 {
    switch kind {
    case .shows: Contract.of(contract, .value, .viewModel)
    case .writable:
      // A secret is never kept.
      Contract.of(contract, Contract(bits: contract).isSecret ? .notice : .value, .view)
    case .pulses: Contract.of(contract, .notice, .viewModel)
    case .command: Contract.of(contract, .request, .view)
    }
  }

  /// The contract of a command's answer.
  var answerBits: UInt64 { Contract.of(answer, .response, .viewModel) }

  /// The flags of its handler.
  var flags: UInt32 {
    UInt32(MAINSTEM_HANDLER_OWN) | (kind == .writable ? UInt32(MAINSTEM_HANDLER_WRITTEN) : 0)
  }

  var isTold: Bool { kind == .command || kind == .writable }
}

/// The layers of what models show and are told.
extension Contract {
  enum Layer: UInt64 {
    case viewModel = 2
    case view = 3
  }

  static func of(_ bits: UInt64, _ role: Role, _ layer: Layer) -> UInt64 {
    let given = Contract(bits: bits)
    return bits | role.rawValue << 36 | (given.layer == 0 ? layer.rawValue << 40 : 0)
  }

  /// Of the values that the library sets for a command.
  static func ofCommand(_ payload: Payload) -> UInt64 {
    of(payload.rawValue << 32, .value, .viewModel)
  }
}
