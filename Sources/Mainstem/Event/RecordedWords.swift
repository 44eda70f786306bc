// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The messages of refused calls as journals have them: in the words that C had in 0.10, which never change. Where a
/// handler lets the error of a refused call pass, its message is the answer.
enum RecordedWords {
  /// A message of C, in those words.
  static func of(_ message: String) -> String {
    guard message.hasPrefix("mainstem_"), let colon = message.firstIndex(of: ":") else {
      return message
    }
    let function = String(message[..<colon].dropFirst(9))
    var rest = String(message[colon...])
    for (words, then) in phrases where rest.contains(words) {
      rest = rest.replacing(words, with: then)
    }
    return "mainstem_\(functions[function] ?? function)\(rest)"
  }

  /// What functions of C were called in 0.10.
  static let functions = [
    "binding_retarget": "binding_point",
    "callback_position": "context_event",
    "context_is_replaying": "context_replaying",
    "context_stats_read": "context_stats",
    "event_match": "navigator_match",
    "instance_open": "owner_open",
    "mailbox_take": "drain_records",
    "request_count": "activity",
    "scheduler_add": "serial_add",
    "scope_add": "scope_add_with",
    "subscription_demand": "subscription_ask",
    "types_add": "catalogue_add",
    "viewmodel_add": "model_add",
  ]

  /// Words of messages in 0.10.
  private static let phrases = [
    ("MAINSTEM_OBSERVE_CONFIRM", "MAINSTEM_CONFIRM"),
    (
      "MAINSTEM_VIEWMODEL_VALUE, _WRITABLE, _PULSE or _COMMAND",
      "MAINSTEM_SHOWS, _WRITABLE, _PULSES or _COMMAND"
    ),
    ("mainstem_scheduler_add", "mainstem_serial_add"),
    (": error.message: ", ": error.sentence: "),
    (": message: ", ": sentence: "),
    (": move.kind: ", ": move.how: "),
    (": options.durability: ", ": options.level: "),
    (": rows.cancelled_by: ", ": rows.until: "),
  ]
}
