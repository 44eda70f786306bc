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

/// Texts in the form C takes, in one piece of memory.
package struct CStrings {
  private var bytes: [CChar] = []
  private var starts: [Int] = []

  package init(_ texts: some Sequence<String>) {
    for text in texts {
      starts.append(bytes.count)
      bytes += text.utf8CString
    }
  }

  /// Passes them to `body`; valid for the call.
  package func withPointers<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      body(starts.map { start in bytes.baseAddress.map { $0 + start } })
    }
  }
}
