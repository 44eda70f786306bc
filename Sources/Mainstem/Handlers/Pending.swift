// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A request waiting for its answer.
public struct Pending: Sendable {
  private let handle: Handle

  init(_ handle: OpaquePointer?) { self.handle = Handle(pointer: handle) }

  /// Cancels the request: it is answered with ``Status/cancelled``, unless it has its answer.
  public func cancel() { mainstem_pending_cancel(handle.pointer) }

  /// The position of the request while it is open; `nil` once it has its answer.
  public var position: UInt64? {
    var position: UInt64 = 0
    return mainstem_pending_position(handle.pointer, &position) == 0 ? position : nil
  }
}

extension Pending: CustomStringConvertible {
  /// The request's position while it is open: `Pending #7`, then `Pending, answered`.
  public var description: String { position.map { "Pending #\($0)" } ?? "Pending, answered" }
}
