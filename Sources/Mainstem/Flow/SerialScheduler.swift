// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// A thread of the library's own that runs callbacks one after the other.
///
/// It is not the context's thread: closures that run on it are `@Sendable`. They may answer with a
/// ``Reply`` and hand in events with a ``Poster``, but a send or a request through their delivery throws
/// ``Status/wrongThread``. So a server on it cannot ask: let one that is called at once do so.
public struct SerialScheduler: Sendable, Hashable {
  package let number: mainstem_scheduler
}

extension Context {
  /// Adds a serial scheduler; a context has at most 63. Its thread ends when the context closes.
  ///
  /// - Parameters:
  ///   - name: Its name; the first 15 bytes become the thread's name.
  ///   - spin: How long it looks for more work before it sleeps. Spinning makes a round trip much
  ///     shorter but keeps a processor busy.
  /// - Returns: The scheduler, for observers of this context and its scopes.
  /// - Throws: The reason the call was refused.
  public func serial(
    _ name: String, spin: Duration = .zero
  ) throws(StreamError) -> SerialScheduler {
    try StreamError.demandNoZero(name, "serial: name")
    guard let spin = UInt32(exactly: try spin.microseconds("serial: spin")) else {
      throw StreamError(.invalid, "serial: spin: \(spin) is longer than 71 minutes")
    }
    var number: mainstem_scheduler = 0
    try StreamError.check(mainstem_scheduler_add(handle, name, spin, &number))
    return SerialScheduler(number: number)
  }
}
