// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A closure as C keeps it: a function and a user_data, until the release hook has run.
final class Callback {
  private let body: (UnsafePointer<mainstem_event>) -> Void

  init(_ body: @escaping (UnsafePointer<mainstem_event>) -> Void) { self.body = body }

  /// Calls the closure that user_data stands for.
  static let call:
    @Sendable @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<mainstem_event>?
    ) -> Void = { userData, event in
      guard let userData, let event else { return }
      // `keep` holds it until the release hook has run.
      Unmanaged<Callback>.fromOpaque(userData).takeUnretainedValue().body(event)
    }

  /// Lets C keep the closure; when C refuses, it stays ours.
  func keep(
    _ call: (UnsafeMutableRawPointer, @escaping mainstem_release_fn) -> mainstem_status
  ) throws(StreamError) {
    // C holds it from here on, and the hook lets go of it.
    let kept = Unmanaged.passRetained(self)
    let status = call(kept.toOpaque()) { userData in
      guard let userData else { return }
      // The library is done with it.
      Unmanaged<Callback>.fromOpaque(userData).release()
    }
    if status != 0 { kept.release() }
    try StreamError.check(status)
  }
}
