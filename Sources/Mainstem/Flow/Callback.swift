// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A closure in the form C keeps: a function and its user_data, until the release hook has run.
final class Callback: Kept {
  private let body: (UnsafePointer<mainstem_event>) -> Void
  /// What a server shows, through its scope.
  private let shown: (OpaquePointer?) -> mainstem_status

  init(
    _ body: @escaping (UnsafePointer<mainstem_event>) -> Void,
    showing shown: @escaping (OpaquePointer?) -> mainstem_status = { _ in 0 }
  ) {
    self.body = body
    self.shown = shown
  }

  /// `keep` retains it until the release hook has run.
  private static func behind(_ userData: UnsafeMutableRawPointer) -> Callback {
    Unmanaged<Callback>.fromOpaque(userData).takeUnretainedValue()
  }

  /// Calls the closure behind user_data.
  static let call:
    @Sendable @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<mainstem_event>?
    ) -> Void = { userData, event in
      guard let userData, let event else { return }
      Callback.behind(userData).body(event)
    }

  /// Calls the show function behind user_data.
  static let show: mainstem_show_fn = { userData, server, _ in
    userData.map { Callback.behind($0).shown(server) } ?? 0
  }
}
