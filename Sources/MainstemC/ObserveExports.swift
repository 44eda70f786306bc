// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/core.h, mainstem/observing.h: observe, cancel, fail, trace

public import CMainstem
internal import MainstemCore

// MARK: Observe

@_optimize(speed)
@implementation @_cdecl("mainstem_observe")
public func mainstem_observe(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ fn: mainstem_event_fn?,
  _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
  _ subscription: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  if let fn, Stream.observeAtOnce(Handle(context), type, fn, userData, release, subscription) {
    return Status.ok.rawValue
  }
  return observe(context, type, fn, userData, release, subscription)
}

/// The slow path of `mainstem_observe`.
@inline(never)
private func observe(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ fn: mainstem_event_fn?,
  _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
  _ subscription: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_observe", context) { () throws(Refusal) in
    subscription?.pointee = nil
    let resolved = try ResolvedHandle.changing(Handle(context))
    guard let fn else { throw .null("fn") }
    let filter: Filter =
      type == 0
      ? .pattern(Filter.Pattern(layers: resolved.observableLayers))
      : .one(try resolved.observable(type))
    let given = Subscription.Options(fn, userData, release, filter)
    try resolved.stream.observe(given, through: resolved, Handle(context), subscription)
  }
}

@implementation @_cdecl("mainstem_observe_with")
public func mainstem_observe_with(
  _ context: OpaquePointer?, _ options: UnsafePointer<mainstem_observe_options>?,
  _ fn: mainstem_event_fn?, _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
  _ subscription: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_observe_with", context) { () throws(Refusal) in
    subscription?.pointee = nil
    let resolved = try ResolvedHandle.changing(Handle(context))
    let choice = try mainstem_observe_options(reading: options).checked()
    guard fn != nil || choice.scheduler == Schedulers.host else { throw .null("fn") }
    guard fn != nil || !choice.call.confirms else {
      throw Refusal(
        .invalid, "options.flags",
        "has MAINSTEM_OBSERVE_CONFIRM, but a mailbox has no callback to confirm")
    }
    guard fn != nil || !choice.isOnDemand else {
      throw Refusal(
        .invalid, "options.flags",
        "has MAINSTEM_OBSERVE_ON_DEMAND, but a mailbox is always fetched on demand")
    }
    let one = try choice.scope(in: resolved)
    let filter = try choice.filter(of: resolved)
    var given = Subscription.Options(fn ?? { _, _ in }, userData, release, filter)
    given.isMailbox = fn == nil
    given.call = choice.call
    given.count = choice.count
    given.scheduler = choice.scheduler
    given.bounds = choice.bounds
    if let one { (given.call.isOfOneOrigin, given.origin) = (true, one.origin) }
    do throws(Refusal) {
      try resolved.stream.observe(given, through: resolved, Handle(context), of: one, subscription)
    } catch {
      filter.free()
      throw error
    }
  }
}

@implementation @_cdecl("mainstem_scheduler_add")
public func mainstem_scheduler_add(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ spinUs: UInt32,
  _ scheduler: UnsafeMutablePointer<mainstem_scheduler>?
) -> mainstem_status {
  call("mainstem_scheduler_add", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.changing(Handle(context))
    guard let scheduler else { throw .null("scheduler") }
    let bytes = try Name.check(name, "name")
    scheduler.pointee = try resolved.addSerial(bytes, spin: spinUs)
  }
}

@implementation @_cdecl("mainstem_subscription_from")
public func mainstem_subscription_from(
  _ subscription: OpaquePointer?, _ position: UnsafeMutablePointer<UInt64>?
) -> mainstem_status {
  call("mainstem_subscription_from", nil) { () throws(Refusal) in
    let resolved = try ResolvedHandle(Handle(subscription), .subscription, "subscription")
    guard let position else { throw .null("position") }
    let from = resolved.stream.locked { () -> UInt64? in
      resolved.liveSubscription?.pointee.from
    }
    guard let from else { throw Refusal(.stale, "subscription", "has ended") }
    position.pointee = from
  }
}

@implementation @_cdecl("mainstem_subscription_stats_read")
public func mainstem_subscription_stats_read(
  _ subscription: OpaquePointer?, _ stats: UnsafeMutablePointer<mainstem_subscription_stats>?
) -> mainstem_status {
  call("mainstem_subscription_stats_read", nil) { () throws(Refusal) in
    let handle = Handle(subscription)
    _ = try ResolvedHandle(handle, .subscription, "subscription")
    guard let stats else { throw .null("stats") }
    try checkSize(stats.pointee.size, MemoryLayout<mainstem_subscription_stats>.size, "stats")
    try Stream.readSubscriptionStats(handle, into: stats)
  }
}

@implementation @_cdecl("mainstem_subscription_demand")
public func mainstem_subscription_demand(
  _ subscription: OpaquePointer?, _ count: UInt64
) -> mainstem_status {
  call("mainstem_subscription_demand", nil) { () throws(Refusal) in
    try Stream.ask(Handle(subscription), for: count)
  }
}

@implementation @_cdecl("mainstem_cancel")
public func mainstem_cancel(_ subscription: OpaquePointer?) -> mainstem_status {
  if Stream.cancelAtOnce(Handle(subscription)) { return Status.ok.rawValue }
  return cancel(subscription)
}

/// The slow path of `mainstem_cancel`.
@inline(never)
private func cancel(_ subscription: OpaquePointer?) -> mainstem_status {
  call("mainstem_cancel", nil) { () throws(Refusal) in
    guard let subscription else { return }
    try Stream.cancel(Handle(subscription))
  }
}

@implementation @_cdecl("mainstem_cancel_wait")
public func mainstem_cancel_wait(_ subscription: OpaquePointer?) -> mainstem_status {
  call("mainstem_cancel_wait", nil) { () throws(Refusal) in
    guard let subscription else { return }
    try Stream.cancelAndWait(Handle(subscription))
  }
}

// MARK: What a callback says of itself

@implementation @_cdecl("mainstem_fail")
public func mainstem_fail(
  _ event: UnsafePointer<mainstem_event>?, _ code: mainstem_status,
  _ message: UnsafePointer<CChar>?
) -> mainstem_status {
  call("mainstem_fail", event?.pointee.context) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    guard code != 0 else { throw Refusal(.invalid, "code", "is OK, which is not a failure") }
    try Stream.fail(event, code, try text(message, "message"))
  }
}

@implementation @_cdecl("mainstem_confirm")
public func mainstem_confirm(_ event: UnsafePointer<mainstem_event>?) -> mainstem_status {
  call("mainstem_confirm", event?.pointee.context) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    guard let frame = Frame.of(event) ?? Frame.running(event) else {
      throw .notInCallback
    }
    frame.pointee.noteConfirmed()
  }
}

/// Reads a host's text for people: UTF-8; NULL counts as empty.
func text(_ text: UnsafePointer<CChar>?, _ argument: Phrase) throws(Refusal) -> Bytes {
  guard let text else { return Bytes("") }
  let bytes = Bytes(zeroEnded: text)
  guard bytes.isUTF8 else { throw Refusal(.invalid, argument, "is not UTF-8") }
  return bytes
}
