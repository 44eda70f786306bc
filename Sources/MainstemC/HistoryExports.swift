// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/observing.h: history

public import CMainstem
internal import MainstemCore

@implementation @_cdecl("mainstem_history_keep")
public func mainstem_history_keep(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ count: Int, _ maxAgeMs: Int64
) -> mainstem_status {
  call("mainstem_history_keep", context) { () throws(Refusal) in
    try Stream.keepHistory(Handle(context), type, count: count, maxAgeMs: maxAgeMs)
  }
}
