// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/core.h, mainstem/loop.h

public import CMainstem
internal import MainstemCore

// MARK: Timers

@implementation @_cdecl("mainstem_send_after")
public func mainstem_send_after(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ data: UnsafeRawPointer?, _ size: Int,
  _ delayMs: Int64, _ repeatMs: Int64, _ timer: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_send_after", context) { () throws(Refusal) in
    timer?.pointee = nil
    guard delayMs >= 0 else { throw Refusal(.invalid, "delay_ms", "is negative") }
    guard repeatMs >= 0 else { throw Refusal(.invalid, "repeat_ms", "is negative") }
    try Stream.send(
      Handle(context), type, data, size, after: delayMs.nanosecondsOfMs,
      every: repeatMs.nanosecondsOfMs, timer)
  }
}

@implementation @_cdecl("mainstem_timer_cancel")
public func mainstem_timer_cancel(_ timer: OpaquePointer?) -> mainstem_status {
  call("mainstem_timer_cancel", nil) { () throws(Refusal) in
    guard let timer else { return }
    try Stream.cancelTimer(Handle(timer))
  }
}

// MARK: Clock

@implementation @_cdecl("mainstem_context_now")
public func mainstem_context_now(
  _ context: OpaquePointer?, _ time: UnsafeMutablePointer<Int64>?
) -> mainstem_status {
  call("mainstem_context_now", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.own(Handle(context), whileClosing: true)
    guard let time else { throw .null("time") }
    time.pointee = resolved.stream.timeHere
  }
}

@implementation @_cdecl("mainstem_callback_position")
public func mainstem_callback_position(
  _ context: OpaquePointer?, _ position: UnsafeMutablePointer<UInt64>?
) -> mainstem_status {
  call("mainstem_callback_position", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.own(Handle(context), whileClosing: true)
    guard let position else { throw .null("position") }
    position.pointee = resolved.stream.eventOfCallback?.pointee.position ?? 0
  }
}

@implementation @_cdecl("mainstem_context_advance")
public func mainstem_context_advance(_ context: OpaquePointer?, _ ms: Int64) -> mainstem_status {
  call("mainstem_context_advance", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.blocking(Handle(context))
    guard ms >= 0 else { throw Refusal(.invalid, "ms", "is negative") }
    try resolved.advance(byMs: ms)
  }
}

// MARK: Chance

@implementation @_cdecl("mainstem_context_random")
public func mainstem_context_random(
  _ context: OpaquePointer?, _ number: UnsafeMutablePointer<UInt64>?
) -> mainstem_status {
  call("mainstem_context_random", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.own(Handle(context), whileClosing: true)
    guard let number else { throw .null("number") }
    number.pointee = resolved.stream.draw()
  }
}

@implementation @_cdecl("mainstem_context_id")
public func mainstem_context_id(
  _ context: OpaquePointer?, _ text: UnsafeMutablePointer<CChar>?
) -> mainstem_status {
  call("mainstem_context_id", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.own(Handle(context), whileClosing: true)
    guard let text else { throw .null("text") }
    resolved.stream.writeID(text)
  }
}

// MARK: Drain, wait, flush

@implementation @_cdecl("mainstem_drain")
public func mainstem_drain(
  _ context: OpaquePointer?, _ max: Int, _ count: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  call("mainstem_drain", context) { () throws(Refusal) in
    count?.pointee = 0
    let taken = try ResolvedHandle.draining(Handle(context)).drain(max)
    count?.pointee = taken
  }
}

@implementation @_cdecl("mainstem_mailbox_take")
public func mainstem_mailbox_take(
  _ subscription: OpaquePointer?, _ buffer: UnsafeMutableRawPointer?, _ size: Int,
  _ count: UnsafeMutablePointer<Int>?, _ next: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  count?.pointee = 0
  next?.pointee = 0
  return call("mainstem_mailbox_take", nil) { () throws(Refusal) in
    guard let count else { throw .null("count") }
    guard buffer != nil || size == 0 else { throw .null("buffer") }
    var records = RecordBuffer(buffer, size)
    let drained = try Stream.drainRecords(Handle(subscription), &records)
    count.pointee = drained.count
    next?.pointee = drained.next
    guard drained.count > 0 || drained.next == 0 else {
      throw Refusal(
        .tooBig, "size", "bytes are needed for the next event", .number(UInt64(drained.next)))
    }
  }
}

@implementation @_cdecl("mainstem_wait")
public func mainstem_wait(_ context: OpaquePointer?, _ timeoutMs: Int64) -> mainstem_status {
  call("mainstem_wait", context) { () throws(Refusal) in
    try Stream.wait(Handle(context), timeoutMs)
  }
}

@implementation @_cdecl("mainstem_wait_interruptible")
public func mainstem_wait_interruptible(
  _ context: OpaquePointer?, _ timeoutMs: Int64, _ interruptFd: Int32
) -> mainstem_status {
  call("mainstem_wait_interruptible", context) { () throws(Refusal) in
    try Stream.wait(Handle(context), timeoutMs, interrupt: interruptFd)
  }
}

@implementation @_cdecl("mainstem_flush")
public func mainstem_flush(_ context: OpaquePointer?) -> mainstem_status {
  call("mainstem_flush", context) { () throws(Refusal) in
    try ResolvedHandle.blocking(Handle(context)).flush()
  }
}

@implementation @_cdecl("mainstem_context_fd")
public func mainstem_context_fd(
  _ context: OpaquePointer?, _ fd: UnsafeMutablePointer<Int32>?
) -> mainstem_status {
  call("mainstem_context_fd", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.own(Handle(context))
    guard let fd else { throw .null("fd") }
    fd.pointee = try resolved.descriptor()
  }
}

@implementation @_cdecl("mainstem_context_next_timeout")
public func mainstem_context_next_timeout(
  _ context: OpaquePointer?, _ timeoutMs: UnsafeMutablePointer<Int64>?
) -> mainstem_status {
  call("mainstem_context_next_timeout", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.own(Handle(context), whileClosing: true)
    guard let timeoutMs else { throw .null("timeout_ms") }
    timeoutMs.pointee = try resolved.nextTimeout()
  }
}

@implementation @_cdecl("mainstem_context_on_wake")
public func mainstem_context_on_wake(
  _ context: OpaquePointer?, _ fn: mainstem_wake_fn?, _ userData: UnsafeMutableRawPointer?,
  _ release: mainstem_release_fn?
) -> mainstem_status {
  call("mainstem_context_on_wake", context) { () throws(Refusal) in
    var hook = Wake.Hook()
    if fn != nil { (hook.function, hook.userData, hook.release) = (fn, userData, release) }
    try Stream.onWake(Handle(context), hook)
  }
}
