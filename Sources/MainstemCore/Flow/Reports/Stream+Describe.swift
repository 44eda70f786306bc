// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// What a stream says about itself.
extension Stream {
  /// Writes an event as one line.
  ///
  /// - Returns: The length of the whole line.
  package func line(
    _ event: UnsafePointer<mainstem_event>, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
  ) -> Int {
    locked {
      let entry = state.pointee.types[event.pointee.type]
      var line = EventLine(buffer, capacity: capacity)
      line.write(
        event, name: entry?.name.bytes ?? Bytes("?"),
        contract: entry?.contract ?? Contract(bits: 0),
        origin: state.pointee.scopes.describe(event.pointee.origin)?.name ?? Bytes(""))
      return line.length
    }
  }

  /// Reads the counters. Under the lock.
  package func readStats(into stats: UnsafeMutablePointer<mainstem_context_stats>) {
    state.pointee.scopes.readStats(into: stats)
    stats.pointee.events = position
    stats.pointee.deliveries = calls
    state.pointee.observers.readStats(into: stats)
    values.pointee.readStats(into: stats)
    stats.pointee.types = UInt64(state.pointee.types.count)
    stats.pointee.requests = state.pointee.openRequests.load(ordering: .relaxed)
    stats.pointee.rejected = rejections
    state.pointee.loop.readStats(into: stats)
  }

  /// Keeps the first failed call's status and message.
  package func noteFirstError(_ status: Int32, _ message: Bytes) {
    locked {
      guard state.pointee.scopes.root != nil else { return }
      state.pointee.reports.firstError.note(status, message)
    }
  }

  package func readFirstError(
    _ message: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) -> Int32 {
    locked {
      let first = state.pointee.reports.firstError
      message?.pointee =
        first.message.map { UnsafePointer($0.text) }
        ?? Draft.nothing.assumingMemoryBound(to: CChar.self)
      return first.status
    }
  }
}

extension ResolvedHandle {
  /// The stream, unless it is being closed.
  package func open() throws(Refusal) -> Stream {
    guard isLive, !stream.isClosed else { throw .ended }
    return stream
  }
}
