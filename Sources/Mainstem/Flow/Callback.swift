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

  /// A closure that gets deliveries: what it throws marks the callback as failed.
  convenience init(
    _ types: EventTypes, onGap: ((Gap) -> Void)? = nil,
    _ body: @escaping (borrowing Delivery) throws -> Void,
    showing shown: @escaping (OpaquePointer?) -> mainstem_status = { _ in 0 }
  ) {
    self.init(
      { event in
        // A gap is not an event of the stream: its payload must not be decoded as one.
        if let gap = Gap(event) {
          onGap?(gap)
          return
        }
        let delivery = Delivery(event, types: types)
        do { try body(delivery) } catch { delivery.failUnlessMarked(error) }
      }, showing: shown)
  }

  /// Calls the closure behind user_data.
  static let call:
    @Sendable @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<mainstem_event>?
    ) -> Void = { userData, event in
      if let event { Kept.behind(userData, as: Callback.self)?.body(event) }
    }

  /// Calls the show function behind user_data.
  static let show: mainstem_show_fn = { userData, server, _ in
    Kept.behind(userData, as: Callback.self)?.shown(server) ?? 0
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

  /// The one that C passes to a function as its user_data. Its type is named: `Self` would be looked up in each call.
  @inline(__always)
  static func behind<Object: Kept>(
    _ userData: UnsafeMutableRawPointer?, as type: Object.Type
  ) -> Object? {
    guard let userData else { return nil }
    // `keep` retains it until the release hook has run.
    return Unmanaged<Object>.fromOpaque(userData).takeUnretainedValue()
  }
}

/// A closure or a value that C keeps.
final class Held<Content>: Kept {
  let content: Content

  init(_ content: Content) { self.content = content }
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
