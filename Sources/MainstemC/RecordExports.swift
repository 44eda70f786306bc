// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/recording.h

public import CMainstem
internal import MainstemCore

@implementation @_cdecl("mainstem_journal_record")
public func mainstem_journal_record(
  _ context: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ options: UnsafePointer<mainstem_journal_options>?
) -> mainstem_status {
  call("mainstem_journal_record", context) { () throws(Refusal) in
    _ = try ResolvedHandle.own(Handle(context))
    guard let path else { throw .null("path") }
    guard path[0] != 0 else { throw Refusal(.invalid, "path", "is empty") }
    try Recorder.start(
      Handle(context), Bytes(zeroEnded: path), options?.pointee.options() ?? .init())
  }
}

@implementation @_cdecl("mainstem_journal_sync")
public func mainstem_journal_sync(_ context: OpaquePointer?) -> mainstem_status {
  call("mainstem_journal_sync", context) { () throws(Refusal) in
    try ResolvedHandle.blocking(Handle(context)).syncJournal()
  }
}

@implementation @_cdecl("mainstem_journal_on_durable")
public func mainstem_journal_on_durable(
  _ context: OpaquePointer?, _ fn: mainstem_durable_fn?, _ userData: UnsafeMutableRawPointer?,
  _ release: mainstem_release_fn?
) -> mainstem_status {
  call("mainstem_journal_on_durable", context) { () throws(Refusal) in
    var hook = DurableHook()
    if fn != nil { (hook.function, hook.userData, hook.release) = (fn, userData, release) }
    try ResolvedHandle.blocking(Handle(context)).onDurable(hook)
  }
}

@implementation @_cdecl("mainstem_journal_stats_read")
public func mainstem_journal_stats_read(
  _ context: OpaquePointer?, _ stats: UnsafeMutablePointer<mainstem_journal_stats>?
) -> mainstem_status {
  // Who asks whether a context is recorded has made no mistake.
  call("mainstem_journal_stats_read", nil) { () throws(Refusal) in
    let resolved = try ResolvedHandle(Handle(context), .context)
    guard let stats else { throw .null("stats") }
    try checkSize(stats.pointee.size, MemoryLayout<mainstem_journal_stats>.size, "stats")
    try resolved.readJournal(into: stats)
  }
}

extension mainstem_journal_options {
  /// The options of a journal.
  fileprivate func options() throws(Refusal) -> Recorder.Options {
    try checkSize(size, MemoryLayout<mainstem_journal_options>.size, "options")
    guard let durability = Recorder.Durability(rawValue: durability) else {
      throw Refusal(.unsupported, "options.durability", "is not a durability level")
    }
    guard flags & ~UInt32(MAINSTEM_JOURNAL_NEW | MAINSTEM_JOURNAL_CONTINUE_UNRECORDED) == 0 else {
      throw Refusal(.unsupported, "options.flags", "has a flag that this library does not support")
    }
    guard keep == 0 || segment_size > 0 else {
      throw Refusal(.invalid, "options.keep", "needs a segment_size")
    }
    var given = Recorder.Options()
    given.durability = durability
    given.isNew = flags & UInt32(MAINSTEM_JOURNAL_NEW) != 0
    given.continuesUnrecorded = flags & UInt32(MAINSTEM_JOURNAL_CONTINUE_UNRECORDED) != 0
    given.segmentSize = min(segment_size, 1 << 62)
    given.keep = keep
    return given
  }
}
