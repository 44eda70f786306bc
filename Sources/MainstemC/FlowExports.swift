// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/core.h, mainstem/scopes.h, mainstem/observing.h: contexts, scopes, send

public import CMainstem
internal import MainstemCore

// MARK: Context

@implementation @_cdecl("mainstem_context_create")
public func mainstem_context_create(
  _ options: UnsafePointer<mainstem_context_options>?,
  _ context: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_context_create", nil) { () throws(Refusal) in
    guard let context else { throw .null("context") }
    context.pointee = nil
    var given = mainstem_context_options()
    if let options {
      let known = MemoryLayout<mainstem_context_options>.size
      try checkSize(options.pointee.size, known, "options")
      given = options.pointee
    }
    guard let threads = Threads(given.threads) else {
      throw Refusal(
        .invalid, "options.threads", "is none of MAINSTEM_THREADS_ONE, _ANY and _GUARDED")
    }
    let known = UInt32(
      MAINSTEM_CONTEXT_TIMES | MAINSTEM_CONTEXT_DELIVER_ON_HOST | MAINSTEM_CONTEXT_TIMING
        | MAINSTEM_CONTEXT_INTERRUPTS | MAINSTEM_CONTEXT_DENY_BY_DEFAULT)
    guard given.flags & ~known == 0 else {
      throw Refusal(.unsupported, "options.flags", "has a flag that this library does not support")
    }
    guard given.clock <= UInt32(MAINSTEM_CLOCK_VIRTUAL) else {
      throw Refusal(.invalid, "options.clock", "is not a clock")
    }
    let handle = try Context.create(
      threads, keepsTime: given.flags & UInt32(MAINSTEM_CONTEXT_TIMES) != 0,
      isTimed: given.flags & UInt32(MAINSTEM_CONTEXT_TIMING) != 0,
      defers: given.flags & UInt32(MAINSTEM_CONTEXT_DELIVER_ON_HOST) != 0,
      isInterrupted: given.flags & UInt32(MAINSTEM_CONTEXT_INTERRUPTS) != 0,
      isVirtual: given.clock == UInt32(MAINSTEM_CLOCK_VIRTUAL), seed: given.seed, try given.limits()
    )
    try recordIfAsked(handle)
    context.pointee = handle.pointer
  }
}

/// Records a new context where the environment says, unless another one is recorded there.
private func recordIfAsked(_ context: Handle) throws(Refusal) {
  guard let path = mainstem_p_record_path() else { return }
  do throws(Refusal) {
    try Recorder.start(context, Bytes(zeroEnded: path), .init())
  } catch {
    guard error.status != .locked else { return }
    try Context.close(context)
    throw Refusal(error.status, "MAINSTEM_RECORD", error.reason, error.subject)
  }
}

@implementation @_cdecl("mainstem_context_close")
public func mainstem_context_close(_ context: OpaquePointer?) -> mainstem_status {
  call("mainstem_context_close", context) { () throws(Refusal) in
    guard let context else { return }
    try Context.close(Handle(context))
  }
}

@implementation @_cdecl("mainstem_context_first_error")
public func mainstem_context_first_error(
  _ context: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> mainstem_status {
  guard context != nil else {
    message?.pointee = mainstem_last_error()
    return Status.invalid.rawValue
  }
  var first: Int32 = 0
  let status = call("mainstem_context_first_error", nil) { () throws(Refusal) in
    let resolved = try ResolvedHandle(Handle(context), .context)
    first = resolved.stream.readFirstError(message)
  }
  return status == Status.ok.rawValue ? first : status
}

@implementation @_cdecl("mainstem_context_stats_read")
public func mainstem_context_stats_read(
  _ context: OpaquePointer?, _ stats: UnsafeMutablePointer<mainstem_context_stats>?
) -> mainstem_status {
  call("mainstem_context_stats_read", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.own(Handle(context), whileClosing: true)
    guard let stats else { throw .null("stats") }
    try checkSize(stats.pointee.size, MemoryLayout<mainstem_context_stats>.size, "stats")
    let asking = resolved.stream.readPoint(since: 2)
    try resolved.reading { () throws(Refusal) in resolved.stream.readStats(into: stats) }
    asking?.note(stats.pointee.events)
  }
}

// MARK: Scopes

@implementation @_cdecl("mainstem_scope_add")
public func mainstem_scope_add(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ options: UnsafePointer<mainstem_scope_options>?,
  _ scope: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_scope_add", context) { () throws(Refusal) in
    scope?.pointee = nil
    let resolved = try ResolvedHandle.changing(Handle(context))
    guard let scope else { throw .null("scope") }
    let bytes = try Name.check(name, "name")
    let given = try Scope.Options(options, resolved.unnamedRights)
    scope.pointee = try resolved.addScope(bytes, given).pointer
  }
}

extension ResolvedHandle {
  fileprivate func addScope(_ name: Bytes, _ given: Scope.Options) throws(Refusal) -> Handle {
    let added = try stream.trying { _ throws(Refusal) in
      try locked { () throws(Refusal) in
        guard let parent = scope else { throw .ended }
        return try stream.addScope(name, below: parent, given).pointee.handle
      }
    }
    stream.countInCallback()
    return added
  }
}

@implementation @_cdecl("mainstem_scope_number")
public func mainstem_scope_number(
  _ scope: OpaquePointer?, _ number: UnsafeMutablePointer<UInt64>?
) -> mainstem_status {
  call("mainstem_scope_number", scope) { () throws(Refusal) in
    let resolved = try ResolvedHandle.own(Handle(scope), .context, "scope", whileClosing: true)
    guard let number else { throw .null("number") }
    number.pointee = try resolved.readScopeNumber()
  }
}

@implementation @_cdecl("mainstem_scope_find")
public func mainstem_scope_find(
  _ context: OpaquePointer?, _ number: UInt64, _ scope: UnsafeMutablePointer<OpaquePointer?>?,
  _ name: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> mainstem_status {
  call("mainstem_scope_find", context) { () throws(Refusal) in
    scope?.pointee = nil
    name?.pointee = nil
    let resolved = try ResolvedHandle.own(Handle(context), whileClosing: true)
    guard let scope else { throw .null("scope") }
    guard let found = try resolved.findScope(number) else { return }
    scope.pointee = found.handle.pointer
    name?.pointee = found.name.start.assumingMemoryBound(to: CChar.self)
  }
}

@implementation @_cdecl("mainstem_scope_end")
public func mainstem_scope_end(_ scope: OpaquePointer?) -> mainstem_status {
  call("mainstem_scope_end", scope) { () throws(Refusal) in
    guard let scope else { return }
    try Stream.endScope(Handle(scope))
  }
}

// MARK: Send

@implementation @_cdecl("mainstem_send")
public func mainstem_send(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ data: UnsafeRawPointer?, _ size: Int
) -> mainstem_status {
  if Stream.sendAtOnce(Handle(context), type, data, size) { return Status.ok.rawValue }
  return send(context, type, data, size)
}

/// Sends in the less usual cases. Kept apart, so that the usual one pays nothing for them.
@inline(never)
private func send(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ data: UnsafeRawPointer?, _ size: Int
) -> mainstem_status {
  if Stream.hasShortWay(from: Handle(context)) {
    if Stream.sendAtOnce(Handle(context), type, data, size, looking: true) {
      return Status.ok.rawValue
    }
    if Stream.sendToQueue(Handle(context), type, data, size) { return Status.ok.rawValue }
  }
  return call("mainstem_send", context) { () throws(Refusal) in
    try Stream.send(Handle(context), type, data, size)
  }
}

@implementation @_cdecl("mainstem_post")
public func mainstem_post(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ data: UnsafeRawPointer?, _ size: Int
) -> mainstem_status {
  call("mainstem_post", context) { () throws(Refusal) in
    try Stream.post(Handle(context), type, data, size)
  }
}
