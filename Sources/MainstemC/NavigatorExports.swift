// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/navigation.h

public import CMainstem
internal import MainstemCore

// MARK: Routes

extension mainstem_navigator_options {
  fileprivate static var byDefault: mainstem_navigator_options {
    mainstem_navigator_options(
      size: UInt32(MemoryLayout<mainstem_navigator_options>.size), flags: 0,
      show_timeout_ms: 0, scheme: nil)
  }

  /// In nanoseconds.
  fileprivate func showTimeout() throws(Refusal) -> Int64 {
    guard show_timeout_ms >= 0 else {
      throw Refusal(.invalid, "options.show_timeout_ms", "is negative")
    }
    return (show_timeout_ms == 0 ? 10_000 : show_timeout_ms).nanosecondsOfMs
  }
}

@implementation @_cdecl("mainstem_navigator_add")
public func mainstem_navigator_add(
  _ context: OpaquePointer?, _ options: UnsafePointer<mainstem_navigator_options>?
) -> mainstem_status {
  call("mainstem_navigator_add", context) { () throws(Refusal) in
    guard let options else { return _ = try navigator(of: context) }
    _ = try addNavigator(try ResolvedHandle.changing(Handle(context)), options.pointee)
  }
}

private func addNavigator(
  _ resolved: ResolvedHandle, _ options: mainstem_navigator_options
) throws(Refusal) -> Navigator {
  try checkSize(options.size, MemoryLayout<mainstem_navigator_options>.size, "options")
  guard options.flags == 0 else { throw Refusal(.invalid, "options.flags", "has an unknown flag") }
  let showTimeout = try options.showTimeout()
  let scheme = try options.scheme.map { (text) throws(Refusal) in
    try Name.check(text, "options.scheme")
  }
  let navigator = try Navigator.prepare(
    resolved, showTimeout: showTimeout, scheme: scheme)
  var server: OpaquePointer?
  do throws(Refusal) {
    try Requests.addServer(
      resolved.handle, Navigator.name, count: Navigator.rowCount, Navigator.row,
      navigator.userData, freeNavigator, &server)
  } catch {
    navigator.drop()
    throw error
  }
  navigator.settle(in: Handle(server))
  return navigator
}

/// The navigator of a context; made if there is none.
private func navigator(of context: OpaquePointer?) throws(Refusal) -> Navigator {
  let resolved = try ResolvedHandle.changing(Handle(context))
  if let known = try? Navigator.of(resolved.stream) { return known }
  return try addNavigator(resolved, .byDefault)
}

@implementation @_cdecl("mainstem_routes_type_add")
public func mainstem_routes_type_add(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ accepts: mainstem_route_type_fn?,
  _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?
) -> mainstem_status {
  call("mainstem_routes_type_add", context) { () throws(Refusal) in
    try navigator(of: context).addType(name, accepts, userData, release)
  }
}

@implementation @_cdecl("mainstem_routes_add")
public func mainstem_routes_add(
  _ context: OpaquePointer?, _ rows: UnsafePointer<mainstem_route_row>?, _ rowSize: Int,
  _ count: Int
) -> mainstem_status {
  call("mainstem_routes_add", context) { () throws(Refusal) in
    let table = try Table(rows, rowSize, count, "rows")
    let navigator = try navigator(of: context)
    let resolved = try ResolvedHandle.own(Handle(context))
    var index = 0
    while index < count {
      do throws(Refusal) {
        try navigator.add(table[index], resolved)
      } catch {
        throw error.status == .noMemory ? error : error.inRow(index)
      }
      index &+= 1
    }
  }
}

@implementation @_cdecl("mainstem_routes_read")
public func mainstem_routes_read(
  _ context: OpaquePointer?, _ index: Int, _ row: UnsafeMutablePointer<mainstem_route_row>?,
  _ rowSize: Int
) -> mainstem_status {
  call("mainstem_routes_read", context) { () throws(Refusal) in
    let stream = try ResolvedHandle.own(Handle(context), whileClosing: true).stream
    let found = try Navigator.using(stream) { (navigator) throws(Refusal) in
      try navigator.route(at: index)
    }
    try Table.clear(row, rowSize).pointee = found
  }
}

// MARK: Moves

@implementation @_cdecl("mainstem_navigator_move")
public func mainstem_navigator_move(
  _ scope: OpaquePointer?, _ move: UnsafePointer<mainstem_move>?, _ fn: mainstem_event_fn?,
  _ userData: UnsafeMutableRawPointer?, _ pending: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_navigator_move", scope) { () throws(Refusal) in
    pending?.pointee = nil
    guard let move else { throw .null("move") }
    try checkSize(move.pointee.size, MemoryLayout<mainstem_move>.size, "move")
    try ask(scope, move.pointee, fn, userData, pending)
  }
}

@implementation @_cdecl("mainstem_navigator_open")
public func mainstem_navigator_open(
  _ scope: OpaquePointer?, _ url: UnsafePointer<CChar>?, _ fn: mainstem_event_fn?,
  _ userData: UnsafeMutableRawPointer?, _ pending: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_navigator_open", scope) { () throws(Refusal) in
    pending?.pointee = nil
    var move = mainstem_move()
    move.verb = UInt32(MAINSTEM_MOVE_OPEN)
    move.url = url
    try ask(scope, move, fn, userData, pending)
  }
}

private func ask(
  _ scope: OpaquePointer?, _ move: mainstem_move, _ fn: mainstem_event_fn?,
  _ userData: UnsafeMutableRawPointer?, _ pending: UnsafeMutablePointer<OpaquePointer?>?
) throws(Refusal) {
  let stream = try ResolvedHandle.asking(Handle(scope)).stream
  let types = try Navigator.types(of: stream)
  let payload = try Navigator.trying(on: stream) { () throws(Refusal) in try move.payload() }
  defer { Memory.free(payload.memory) }
  try ask(
    scope, types.move, payload.memory, payload.length, Request.Completion(fn, userData),
    pending)
}

extension mainstem_move {
  /// Checks a move, and writes its payload; the caller frees the memory.
  fileprivate func payload() throws(Refusal) -> (memory: UnsafeMutableRawPointer, length: Int) {
    let isForAll = flags & UInt32(MAINSTEM_MOVE_ALL) != 0
    guard flags & ~UInt32(MAINSTEM_MOVE_ALL) == 0 else {
      throw Refusal(.unsupported, "move.flags", "has a flag that this library does not know")
    }
    guard !isForAll || verb == UInt32(MAINSTEM_MOVE_LINK) else {
      throw Refusal(.invalid, "move.flags", "is for all flows, but only a link is")
    }
    let opens =
      verb == UInt32(MAINSTEM_MOVE_OPEN) || verb == UInt32(MAINSTEM_MOVE_LINK)
      || verb == UInt32(MAINSTEM_MOVE_REPLACE_ROOT) || verb == UInt32(MAINSTEM_MOVE_REPLACE)
    guard opens || verb >= UInt32(MAINSTEM_MOVE_CLOSE) && verb <= UInt32(MAINSTEM_MOVE_DISMISS)
    else { throw Refusal(.invalid, "move.verb", "is no verb") }
    guard kind <= UInt32(MAINSTEM_FLOW) else { throw Refusal(.invalid, "move.kind", "is no kind") }
    guard
      component != 0
        || verb != UInt32(MAINSTEM_MOVE_CLOSE) && verb != UInt32(MAINSTEM_MOVE_POP_TO)
    else { throw Refusal(.invalid, "move.component", "is missing") }
    let url = opens ? try checkedURL(self.url, "url") : nil
    let slot = try self.slot.map { (text) throws(Refusal) in try Name.check(text, "move.slot") }
    func write(to writer: inout JSONWriter) {
      MoveGiven.write(
        verb, url: url, component: component, slot: slot, how: kind, isForAll: isForAll, to: &writer
      )
    }
    var measure = JSONWriter(nil)
    write(to: &measure)
    guard let room = Memory.allocate(UInt8.self, count: measure.length) else { throw .noMemory }
    var writer = JSONWriter(UnsafeMutableRawPointer(room))
    write(to: &writer)
    return (UnsafeMutableRawPointer(room), writer.length)
  }
}

/// A URL of the host's that an event is to carry.
private func checkedURL(
  _ text: UnsafePointer<CChar>?, _ argument: Phrase
) throws(Refusal) -> Bytes {
  let url = try Bytes.checked(text, argument, atMost: 65536)
  guard url.isUTF8 else { throw Refusal(.badURL, argument, "is not UTF-8") }
  return url
}

@implementation @_cdecl("mainstem_component_finish")
public func mainstem_component_finish(
  _ scope: OpaquePointer?, _ type: mainstem_event_type, _ data: UnsafeRawPointer?, _ size: Int
) -> mainstem_status {
  call("mainstem_component_finish", scope) { () throws(Refusal) in
    let stream = try ResolvedHandle.sending(Handle(scope)).stream
    let types = try Navigator.types(of: stream)
    guard type != 0 else {
      guard size == 0 else { throw Refusal(.invalid, "size", "is not 0, but there is no type") }
      return try Stream.send(Handle(scope), types.finish, nil, 0)
    }
    let payload = try Navigator.result(type, data, size, in: stream)
    defer { Memory.free(payload.memory) }
    try Stream.send(Handle(scope), types.finish, payload.memory, payload.length)
  }
}

@implementation @_cdecl("mainstem_result_read")
public func mainstem_result_read(
  _ event: UnsafePointer<mainstem_event>?, _ result: UnsafeMutablePointer<mainstem_result>?
) -> mainstem_status {
  call("mainstem_result_read", nil) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    guard let result else { throw .null("result") }
    try checkSize(result.pointee.size, MemoryLayout<mainstem_result>.size, "result")
    let size = result.pointee.size
    result.pointee = try Navigator.readResult(event)
    result.pointee.size = size
  }
}

@implementation @_cdecl("mainstem_event_match")
public func mainstem_event_match(
  _ event: UnsafePointer<mainstem_event>?, _ match: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  match?.pointee = nil
  return call("mainstem_event_match", nil) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    guard let match else { throw .null("match") }
    match.pointee = try RouteMatch.open(try Navigator.match(event)).pointer
  }
}

// MARK: Guards

@implementation @_cdecl("mainstem_guard_add")
public func mainstem_guard_add(
  _ context: OpaquePointer?, _ pattern: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?,
  _ flags: UInt32
) -> mainstem_status {
  call("mainstem_guard_add", context) { () throws(Refusal) in
    let bytes = try Name.check(name, "name")
    guard flags & ~UInt32(MAINSTEM_GUARD_LEAVING) == 0 else {
      throw Refusal(.unsupported, "flags", "has a flag that this library does not know")
    }
    try navigator(of: context).addGuard(pattern, bytes, isLeaving: flags != 0)
  }
}

@implementation @_cdecl("mainstem_guard_answer")
public func mainstem_guard_answer(
  _ event: UnsafePointer<mainstem_event>?, _ verdict: UInt32, _ url: UnsafePointer<CChar>?
) -> mainstem_status {
  callOfAnswer("mainstem_guard_answer", event?.pointee.context) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    guard let word = GuardVerdict.word(verdict) else {
      throw Refusal(.invalid, "verdict", "is no verdict")
    }
    guard (url == nil) == (verdict == UInt32(MAINSTEM_GUARD_ALLOW)) else {
      throw Refusal(.invalid, "url", "is missing, or too much: only go has none")
    }
    try Navigator.demandGuard(event, goesElsewhere: url != nil)
    guard let url else { return try Requests.respond(event, .payload(nil, 0)) }
    let text = try checkedURL(url, "url")
    let prefix = Bytes(word)
    let room = try Navigator.trying(on: try Stream.of(event)) {
      () throws(Refusal) -> UnsafeMutablePointer<UInt8> in
      guard let room = Memory.allocate(UInt8.self, count: prefix.count &+ text.count) else {
        throw .noMemory
      }
      return room
    }
    defer { Memory.free(room) }
    let raw = UnsafeMutableRawPointer(room)
    raw.copyMemory(from: prefix.start, byteCount: prefix.count)
    (raw + prefix.count).copyMemory(from: text.start, byteCount: text.count)
    try Requests.respond(event, .payload(UnsafeRawPointer(raw), prefix.count &+ text.count))
  }
}

// MARK: Flows

@implementation @_cdecl("mainstem_intents_add")
public func mainstem_intents_add(
  _ scope: OpaquePointer?, _ rows: UnsafePointer<mainstem_intent_row>?, _ rowSize: Int,
  _ count: Int, _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?
) -> mainstem_status {
  call("mainstem_intents_add", scope) { () throws(Refusal) in
    let resolved = try ResolvedHandle.changing(Handle(scope), .context, "scope")
    let table = try Table(rows, rowSize, count, "rows")
    try Intents.add(through: resolved, count, { table[$0] }, userData, release) {
      (type) throws(Refusal) in try resolved.demand(.observe, of: type)
    }
  }
}

@implementation @_cdecl("mainstem_event_component")
public func mainstem_event_component(
  _ event: UnsafePointer<mainstem_event>?, _ component: UnsafeMutablePointer<UInt64>?
) -> mainstem_status {
  component?.pointee = 0
  return call("mainstem_event_component", nil) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    guard let component else { throw .null("component") }
    component.pointee = try Navigator.number(ofComponentOf: event)
  }
}
