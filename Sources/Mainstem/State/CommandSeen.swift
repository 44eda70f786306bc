// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What views see of a command of a child.
///
/// The library says it after the child's own show function. A child's parent says earlier what the child shows, so that
/// views find it ready: then this is part of that.
struct CommandSeen<S: Server> {
  private let enabled, executing, error: mainstem_event_type
  /// Whether it is enabled; nil: always.
  private let isEnabled: ((S) -> Bool)?

  init(
    _ name: String, enabled isEnabled: ((S) -> Bool)?, _ types: EventTypes
  ) throws(StreamError) {
    enabled = try types.number(named: "\(name).enabled")
    executing = try types.number(named: "\(name).executing")
    error = try types.number(named: "\(name).error")
    self.isEnabled = isEnabled
  }

  /// Says whether it is enabled; the first time, too, that it is not executing and has not failed.
  func say(_ model: S, through scope: OpaquePointer?, isFirst: Bool) throws(StreamError) {
    let isEnabled = self.isEnabled?(model) ?? true
    try StreamError.check(mainstem_value_set_bool(scope, enabled, isEnabled))
    guard isFirst else { return }
    try StreamError.check(mainstem_value_set_bool(scope, executing, false))
    try StreamError.check(mainstem_value_set_text(scope, error, ""))
  }
}
