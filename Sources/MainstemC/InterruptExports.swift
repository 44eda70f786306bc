// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/loop.h: what signal handlers post

public import CMainstem
internal import MainstemCore

/// Does not use `call`: a message would take memory, and a context's first error a lock.
@implementation @_cdecl("mainstem_post_from_interrupt")
public func mainstem_post_from_interrupt(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ data: UnsafeRawPointer?, _ size: Int
) -> mainstem_status {
  do throws(Refusal) {
    try Stream.postFromInterrupt(Handle(context), type, data, size)
    return Status.ok.rawValue
  } catch {
    return error.status.rawValue
  }
}
