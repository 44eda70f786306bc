// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A thread of the library's own, on which callbacks run one after the other.
///
/// That thread is not the context's: closures that run on it are `@Sendable`, may answer by a
/// ``Reply`` and hand events in by a ``Poster``. What they send through their delivery is refused
/// with ``Status/wrongThread``.
public struct SerialScheduler: Sendable, Hashable {
  let number: mainstem_scheduler
}

extension Context {
  /// Adds a serial scheduler. Its thread ends when the context closes; there are at most 63.
  ///
  /// - Parameters:
  ///   - name: Its name, and that of its thread.
  ///   - spin: For how long it looks for more before it sleeps. A round trip is then much shorter,
  ///     and a processor busy for that long.
  /// - Returns: The scheduler, for observers of this context and its scopes.
  /// - Throws: Why there is none.
  public func serial(
    _ name: String, spin: Duration = .zero
  ) throws(StreamError) -> SerialScheduler {
    var number: mainstem_scheduler = 0
    try StreamError.check(mainstem_serial_add(handle, name, spin.wholeMicroseconds, &number))
    return SerialScheduler(number: number)
  }
}

extension Duration {
  /// Whole microseconds, from none to as many as C can have.
  fileprivate var wholeMicroseconds: UInt32 {
    let (seconds, attoseconds) = components
    if seconds < 0 || attoseconds < 0 { return 0 }
    if seconds >= 4294 { return 4_294_000_000 }
    return UInt32(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }
}
