// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A closure in the form C keeps: a function and its user_data, until the release hook has run.
final class Callback: Kept {
  private let body: (UnsafePointer<mainstem_event>) -> Void

  init(_ body: @escaping (UnsafePointer<mainstem_event>) -> Void) { self.body = body }

  /// Calls the closure behind user_data.
  static let call:
    @Sendable @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<mainstem_event>?
    ) -> Void = { userData, event in
      guard let userData, let event else { return }
      // `keep` retains it until the release hook has run.
      Unmanaged<Callback>.fromOpaque(userData).takeUnretainedValue().body(event)
    }
}
