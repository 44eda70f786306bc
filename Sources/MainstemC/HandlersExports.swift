// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/core.h, mainstem/requests.h

public import CMainstem
internal import MainstemCore

// MARK: Servers

@implementation @_cdecl("mainstem_server_add")
public func mainstem_server_add(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ rows: UnsafePointer<mainstem_handler_row>?, _ rowSize: Int, _ count: Int,
  _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
  _ server: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_server_add", context) { () throws(Refusal) in
    try addServer(context, name, rows, rowSize, count, nil, userData, release, server)
  }
}

/// Adds a server.
///
/// - Parameters:
///   - options: Nil: with the defaults.
///   - flags: Flags that all its rows have besides their own.
func addServer(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ rows: UnsafePointer<mainstem_handler_row>?, _ rowSize: Int, _ count: Int,
  _ options: UnsafePointer<mainstem_server_options>?, _ userData: UnsafeMutableRawPointer?,
  _ release: mainstem_release_fn?, _ server: UnsafeMutablePointer<OpaquePointer?>?,
  flags: UInt32 = 0
) throws(Refusal) {
  server?.pointee = nil
  _ = try ResolvedHandle.changing(Handle(context))
  let bytes = name == nil ? nil : try Name.check(name, "name")
  let table = try Table(rows, rowSize, count, "rows", hasGrown: true)
  var (place, show) = (HandlerPlace.immediate, nil as Show.Function?)
  if let options {
    let given = try mainstem_server_options(reading: options)
    (place, show) = (try given.place(), try given.shown())
  }
  try Requests.addServer(
    Handle(context), bytes, count: count,
    { HandlerRow(table[$0], flags) }, at: place, showing: show, userData, release, server)
}

@implementation @_cdecl("mainstem_server_add_with")
public func mainstem_server_add_with(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ rows: UnsafePointer<mainstem_handler_row>?, _ rowSize: Int, _ count: Int,
  _ options: UnsafePointer<mainstem_server_options>?, _ userData: UnsafeMutableRawPointer?,
  _ release: mainstem_release_fn?, _ server: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_server_add_with", context) { () throws(Refusal) in
    try addServer(context, name, rows, rowSize, count, options, userData, release, server)
  }
}

// MARK: Requests

@_optimize(speed)
@implementation @_cdecl("mainstem_request")
public func mainstem_request(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ data: UnsafeRawPointer?, _ size: Int,
  _ fn: mainstem_event_fn?, _ userData: UnsafeMutableRawPointer?,
  _ pending: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_request", context) { () throws(Refusal) in
    pending?.pointee = nil
    try Requests.request(
      Handle(context), type, data, size, Request.Completion(fn, userData), pending)
  }
}

@implementation @_cdecl("mainstem_request_with")
public func mainstem_request_with(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ data: UnsafeRawPointer?, _ size: Int,
  _ options: UnsafePointer<mainstem_request_options>?, _ fn: mainstem_event_fn?,
  _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
  _ pending: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_request_with", context) { () throws(Refusal) in
    pending?.pointee = nil
    _ = try ResolvedHandle.changing(Handle(context))
    var completion = Request.Completion(fn, userData)
    try options?.pointee.fill(&completion)
    completion.release = release
    let isShared = options.map { $0.pointee.share != 0 } ?? false
    try ask(context, type, data, size, completion, pending, isShared: isShared)
  }
}

/// Asks, where no instruction counts.
@inline(never)
func ask(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ data: UnsafeRawPointer?, _ size: Int,
  _ completion: Request.Completion, _ pending: UnsafeMutablePointer<OpaquePointer?>?,
  isShared: Bool = false
) throws(Refusal) {
  try Requests.request(Handle(context), type, data, size, completion, pending, isShared: isShared)
}

extension mainstem_request_options {
  /// Checks all fields and copies them into a completion.
  fileprivate func fill(_ completion: inout Request.Completion) throws(Refusal) {
    try checkSize(size, MemoryLayout<mainstem_request_options>.size, "options")
    guard flags == 0 else { throw Refusal(.invalid, "options.flags", "has an unknown flag") }
    guard timeout_ms >= 0 else { throw Refusal(.invalid, "options.timeout_ms", "is negative") }
    guard share <= 1 else { throw Refusal(.invalid, "options.share", "is neither 0 nor 1") }
    completion.progress = progress
    completion.schedulerNumber = scheduler
    completion.timeout = timeout_ms.nanosecondsOfMs
  }
}

@implementation @_cdecl("mainstem_pending_cancel")
public func mainstem_pending_cancel(_ pending: OpaquePointer?) -> mainstem_status {
  call("mainstem_pending_cancel", nil) { () throws(Refusal) in
    guard let pending else { return }
    try Requests.cancelRequest(Handle(pending))
  }
}

@implementation @_cdecl("mainstem_pending_position")
public func mainstem_pending_position(
  _ pending: OpaquePointer?, _ position: UnsafeMutablePointer<UInt64>?
) -> mainstem_status {
  call("mainstem_pending_position", nil) { () throws(Refusal) in
    guard let position else { throw .null("position") }
    position.pointee = try Requests.position(ofRequest: Handle(pending))
  }
}

@_optimize(speed)
@implementation @_cdecl("mainstem_respond")
public func mainstem_respond(
  _ event: UnsafePointer<mainstem_event>?, _ data: UnsafeRawPointer?, _ size: Int
) -> mainstem_status {
  callOfAnswer("mainstem_respond", event?.pointee.context) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    try Requests.respond(event, .payload(data, size))
  }
}

@implementation @_cdecl("mainstem_respond_error")
public func mainstem_respond_error(
  _ event: UnsafePointer<mainstem_event>?, _ code: mainstem_status,
  _ message: UnsafePointer<CChar>?
) -> mainstem_status {
  callOfAnswer("mainstem_respond_error", event?.pointee.context) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    guard code != 0 else { throw Refusal(.invalid, "code", "is OK, which is not an error") }
    let error = ErrorValue(
      code: code, message: try text(message, "message"), text: Bytes(""), subject: Bytes(""))
    try Requests.respond(event, .error(error))
  }
}

@implementation @_cdecl("mainstem_respond_error_with")
public func mainstem_respond_error_with(
  _ event: UnsafePointer<mainstem_event>?, _ error: UnsafePointer<mainstem_error>?
) -> mainstem_status {
  callOfAnswer("mainstem_respond_error_with", event?.pointee.context) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    guard let error else { throw .null("error") }
    try Requests.respond(event, .error(try value(of: error.pointee)))
  }
}

/// Reads a host's error and borrows its texts.
func value(of error: mainstem_error) throws(Refusal) -> ErrorValue {
  try checkSize(error.size, MemoryLayout<mainstem_error>.size, "error")
  guard error.code != 0 else {
    throw Refusal(.invalid, "error.code", "is OK, which is not an error")
  }
  return ErrorValue(
    code: error.code, message: try text(error.message, "error.message"),
    text: try text(error.user_message, "error.user_message"),
    subject: try text(error.subject, "error.subject"))
}

@implementation @_cdecl("mainstem_respond_progress")
public func mainstem_respond_progress(
  _ event: UnsafePointer<mainstem_event>?, _ type: mainstem_event_type, _ data: UnsafeRawPointer?,
  _ size: Int
) -> mainstem_status {
  callOfAnswer("mainstem_respond_progress", event?.pointee.context) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    try Requests.respondProgress(event, type, data, size)
  }
}

@implementation @_cdecl("mainstem_event_on_settled")
public func mainstem_event_on_settled(
  _ event: UnsafePointer<mainstem_event>?, _ fn: mainstem_settled_fn?,
  _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?
) -> mainstem_status {
  call("mainstem_event_on_settled", event?.pointee.context) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    guard let fn else { throw .null("fn") }
    try Requests.onSettled(event, fn, userData, release)
  }
}

@implementation @_cdecl("mainstem_event_is_settled")
public func mainstem_event_is_settled(
  _ event: UnsafePointer<mainstem_event>?, _ settled: UnsafeMutablePointer<CBool>?
) -> mainstem_status {
  call("mainstem_event_is_settled", event?.pointee.context) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    guard let settled else { throw .null("settled") }
    settled.pointee = try Requests.isSettled(event)
  }
}

// MARK: Activity

@implementation @_cdecl("mainstem_request_count")
public func mainstem_request_count(
  _ context: OpaquePointer?, _ type: mainstem_event_type, _ count: UnsafeMutablePointer<UInt64>?
) -> mainstem_status {
  call("mainstem_request_count", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.own(Handle(context), whileClosing: true)
    guard let count else { throw .null("count") }
    if type != 0 { try resolved.demand(.observe, of: try resolved.known(type)) }
    count.pointee = try resolved.stream.requests.activity(of: type)
  }
}

@implementation @_cdecl("mainstem_activity_report")
public func mainstem_activity_report(
  _ context: OpaquePointer?, _ type: mainstem_event_type
) -> mainstem_status {
  call("mainstem_activity_report", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.changing(Handle(context))
    try resolved.locked { () throws(Refusal) in
      try resolved.stream.requests.reportActivity(of: type)
    }
  }
}
