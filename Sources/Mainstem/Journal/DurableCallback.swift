// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The closure that ``Context/onDurable(_:)`` calls, in the form C keeps.
final class DurableCallback: Kept {
  private let body: (UInt64) -> Void

  init(_ body: @escaping (UInt64) -> Void) { self.body = body }

  /// Calls the closure behind user_data.
  static let call: @Sendable @convention(c) (UnsafeMutableRawPointer?, UInt64) -> Void = {
    userData, position in
    guard let userData else { return }
    // `keep` retains it until the release hook has run.
    Unmanaged<DurableCallback>.fromOpaque(userData).takeUnretainedValue().body(position)
  }
}
