// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A request that is kept while its handler asks for something.
final class Retained {
  private let handle: OpaquePointer
  let event: UnsafePointer<mainstem_event>

  init(_ request: UnsafePointer<mainstem_event>) throws(StreamError) {
    var retained: OpaquePointer?
    try StreamError.check(mainstem_event_retain(request, &retained))
    var event: UnsafePointer<mainstem_event>?
    try StreamError.check(mainstem_retained_event(retained, &event))
    guard let retained, let event else { throw StreamError(.noMemory, "the request was not kept") }
    (self.handle, self.event) = (retained, event)
  }

  deinit { mainstem_retained_release(handle) }
}
