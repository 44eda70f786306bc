// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Hands events of one type to a context from any thread.
public struct Poster<E: Event>: Sendable {
  private let handle: Handle
  private let number: mainstem_event_type
  private let types: EventTypes

  init(_ handle: OpaquePointer?, number: mainstem_event_type, types: EventTypes) {
    self.handle = Handle(pointer: handle)
    self.number = number
    self.types = types
  }

  /// Hands over an event. It is accepted when the context drains, waits or closes.
  ///
  /// - Parameter event: The event.
  /// - Throws: ``Status/stale`` if the context is closed, ``Status/full`` if it has no room.
  public func post(_ event: E) throws(StreamError) {
    let bytes = try types.encode(event)
    try StreamError.check(mainstem_post(handle.pointer, number, bytes, bytes.count))
  }
}
