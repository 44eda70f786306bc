// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Fails when no value has come for a time, from the start or the last value on. A value that
  /// comes at that very time is in time.
  ///
  /// - Parameters:
  ///   - duration: How long to wait for a value.
  ///   - failure: What it fails with.
  /// - Returns: The signal.
  @inlinable public func timeout(
    _ duration: Duration, _ failure: @escaping @autoclosure () -> Failure
  ) -> Signal {
    let wait = duration.ns
    return fence { life, upstream, observer in
      let deadline = life.deadline { _ in
        upstream.end()
        observer(.failed(failure()))
      }
      deadline.set(after: wait)
      return { event in
        if event.isEnd { deadline.clear() } else { deadline.set(after: wait) }
        observer(event)
      }
    }
  }
}
