// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// An object that C keeps as a user_data until it calls the release hook.
class Kept {
  /// Hands it to C. If C refuses, it stays ours.
  final func keep(
    _ call: (UnsafeMutableRawPointer, @escaping mainstem_release_fn) -> mainstem_status
  ) throws(StreamError) {
    // C holds it from here on; the hook releases it.
    let kept = Unmanaged<Kept>.passRetained(self)
    let status = call(kept.toOpaque()) { userData in
      guard let userData else { return }
      // The library is done with it.
      Unmanaged<Kept>.fromOpaque(userData).release()
    }
    if status != 0 { kept.release() }
    try StreamError.check(status)
  }
}
