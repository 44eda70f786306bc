// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/replay.h

public import CMainstem
internal import MainstemCore

@implementation @_cdecl("mainstem_replay_open")
public func mainstem_replay_open(
  _ context: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ options: UnsafePointer<mainstem_replay_options>?,
  _ replay: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_replay_open", context) { () throws(Refusal) in
    replay?.pointee = nil
    _ = try ResolvedHandle.own(Handle(context))
    guard let path else { throw .null("path") }
    guard let replay else { throw .null("replay") }
    let given = try options?.pointee.options() ?? Replay.Options()
    replay.pointee = try Context.openReplay(Handle(context), path, given).pointer
  }
}

extension mainstem_replay_options {
  fileprivate func options() throws(Refusal) -> Replay.Options {
    try checkSize(size, MemoryLayout<mainstem_replay_options>.size, "options")
    guard mode <= UInt32(MAINSTEM_REPLAY_VERIFY) else {
      throw Refusal(.invalid, "options.mode", "is not a replay mode")
    }
    var given = Replay.Options()
    given.verifies = mode == UInt32(MAINSTEM_REPLAY_VERIFY)
    given.session = session
    return given
  }
}

@implementation @_cdecl("mainstem_replay_step")
public func mainstem_replay_step(
  _ replay: OpaquePointer?, _ count: UInt64, _ fed: UnsafeMutablePointer<UInt64>?
) -> mainstem_status {
  call("mainstem_replay_step", nil) { () throws(Refusal) in
    var done: UInt64 = 0
    defer { fed?.pointee = done }
    try Replay.step(Handle(replay), count == 0 ? .max : count, &done)
  }
}

@implementation @_cdecl("mainstem_replay_seek")
public func mainstem_replay_seek(_ replay: OpaquePointer?, _ position: UInt64) -> mainstem_status {
  call("mainstem_replay_seek", nil) { () throws(Refusal) in
    try Replay.seek(Handle(replay), position)
  }
}

@implementation @_cdecl("mainstem_replay_run")
public func mainstem_replay_run(_ replay: OpaquePointer?, _ speed: Double) -> mainstem_status {
  call("mainstem_replay_run", nil) { () throws(Refusal) in
    try Replay.run(Handle(replay), speed)
  }
}

@implementation @_cdecl("mainstem_replay_pause")
public func mainstem_replay_pause(_ replay: OpaquePointer?) -> mainstem_status {
  call("mainstem_replay_pause", nil) { () throws(Refusal) in
    try Replay.run(Handle(replay), nil)
  }
}

@implementation @_cdecl("mainstem_replay_on_secret")
public func mainstem_replay_on_secret(
  _ replay: OpaquePointer?, _ fn: mainstem_event_fn?, _ userData: UnsafeMutableRawPointer?,
  _ release: mainstem_release_fn?
) -> mainstem_status {
  call("mainstem_replay_on_secret", nil) { () throws(Refusal) in
    var resolver = SecretResolver()
    if fn != nil {
      (resolver.function, resolver.userData, resolver.release) = (fn, userData, release)
    }
    try Replay.onSecret(Handle(replay), resolver)
  }
}

@implementation @_cdecl("mainstem_replay_supply")
public func mainstem_replay_supply(
  _ replay: OpaquePointer?, _ secret: UnsafePointer<mainstem_secret>?
) -> mainstem_status {
  call("mainstem_replay_supply", nil) { () throws(Refusal) in
    guard let secret else { throw .null("secret") }
    try Replay.supply(Handle(replay), try secret.pointee.supplied())
  }
}

extension mainstem_secret {
  fileprivate func supplied() throws(Refusal) -> SuppliedSecret {
    try checkSize(size, MemoryLayout<mainstem_secret>.size, "secret")
    var secret = SuppliedSecret()
    secret.answers = answers
    (secret.data, secret.size) = (data, data_size)
    if let error { secret.error = try value(of: error.pointee) }
    return secret
  }
}

@implementation @_cdecl("mainstem_replay_info_read")
public func mainstem_replay_info_read(
  _ replay: OpaquePointer?, _ info: UnsafeMutablePointer<mainstem_replay_info>?
) -> mainstem_status {
  call("mainstem_replay_info_read", nil) { () throws(Refusal) in
    _ = try ResolvedHandle(Handle(replay), .replay, "replay")
    guard let info else { throw .null("info") }
    try checkSize(info.pointee.size, MemoryLayout<mainstem_replay_info>.size, "info")
    try Replay.readInfo(Handle(replay), into: info)
  }
}

@implementation @_cdecl("mainstem_replay_difference_read")
public func mainstem_replay_difference_read(
  _ replay: OpaquePointer?, _ difference: UnsafeMutablePointer<mainstem_replay_difference>?
) -> mainstem_status {
  call("mainstem_replay_difference_read", nil) { () throws(Refusal) in
    _ = try ResolvedHandle(Handle(replay), .replay, "replay")
    guard let difference else { throw .null("difference") }
    let known = MemoryLayout<mainstem_replay_difference>.size
    try checkSize(difference.pointee.size, known, "difference")
    try Replay.readDifference(Handle(replay), into: difference)
  }
}

@implementation @_cdecl("mainstem_replay_close")
public func mainstem_replay_close(_ replay: OpaquePointer?) -> mainstem_status {
  call("mainstem_replay_close", nil) { () throws(Refusal) in
    guard let replay else { return }
    try Context.closeReplay(Handle(replay))
  }
}

@implementation @_cdecl("mainstem_context_is_replaying")
public func mainstem_context_is_replaying(
  _ context: OpaquePointer?, _ replaying: UnsafeMutablePointer<Int32>?
) -> mainstem_status {
  call("mainstem_context_is_replaying", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle(Handle(context), .context)
    guard let replaying else { throw .null("replaying") }
    replaying.pointee = try resolved.reading { () throws(Refusal) in
      resolved.stream.isFed ? 1 : 0
    }
  }
}
