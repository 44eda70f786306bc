// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/stage.h

public import CMainstem
internal import MainstemCore

// MARK: The stage

@implementation @_cdecl("mainstem_stage_add")
public func mainstem_stage_add(
  _ context: OpaquePointer?, _ rows: UnsafePointer<mainstem_handler_row>?, _ rowSize: Int,
  _ count: Int, _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
  _ stage: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_stage_add", context) { () throws(Refusal) in
    stage?.pointee = nil
    let resolved = try ResolvedHandle.changing(Handle(context))
    let navigator = try Navigator.of(resolved.stream)
    let table = try Table(rows, rowSize, count, "rows", hasGrown: true)
    var options = mainstem_server_options()
    options.size = UInt32(MemoryLayout<mainstem_server_options>.size)
    options.scheduler = UInt32(MAINSTEM_SCHEDULER_HOST)
    var server: OpaquePointer?
    let name: Phrase = "Stage"
    try addServer(
      context, name.text, rows, rowSize, count, &options, userData, release, &server,
      flags: UInt32(MAINSTEM_HANDLER_SEVERAL))
    do throws(Refusal) {
      try MutedStage.add(to: navigator, in: Handle(server), userData, count) { table[$0] }
    } catch {
      try? Stream.endScope(Handle(server))
      throw error
    }
    stage?.pointee = server
  }
}

@implementation @_cdecl("mainstem_show_read")
public func mainstem_show_read(
  _ event: UnsafePointer<mainstem_event>?, _ show: UnsafeMutablePointer<mainstem_component_info>?,
  _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> mainstem_status {
  call("mainstem_show_read", nil) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    let types = try Navigator.types(of: try Stream.of(event))
    guard types.isShow(event.pointee.type) else { throw .notOfNavigator }
    try read(
      Bytes(event.pointee.data, Int(event.pointee.size)), to: show, text, capacity)
  }
}

private func read(
  _ payload: Bytes, to show: UnsafeMutablePointer<mainstem_component_info>?,
  _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int
) throws(Refusal) {
  guard let show else { throw .null("show") }
  guard text != nil || capacity == 0 else { throw .null("text") }
  try checkSize(show.pointee.size, MemoryLayout<mainstem_component_info>.size, "show")
  let size = show.pointee.size
  show.pointee = try mainstem_component_info(payload, text, capacity)
  show.pointee.size = size
}

@implementation @_cdecl("mainstem_hide_read")
public func mainstem_hide_read(
  _ event: UnsafePointer<mainstem_event>?, _ components: UnsafeMutablePointer<UInt64>?,
  _ capacity: Int, _ count: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  count?.pointee = 0
  return call("mainstem_hide_read", nil) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    let types = try Navigator.types(of: try Stream.of(event))
    guard types.isHide(event.pointee.type) else { throw .notOfNavigator }
    var closed = try ClosedNumbers(Bytes(event.pointee.data, Int(event.pointee.size)))
    try list(to: components, capacity, count) { visit in
      while let number = closed.next() { visit(number) }
    }
  }
}

/// Writes numbers to a host's array.
private func list(
  to components: UnsafeMutablePointer<UInt64>?, _ capacity: Int,
  _ count: UnsafeMutablePointer<Int>?, _ each: ((UInt64) -> Void) -> Void
) throws(Refusal) {
  guard let count else { throw .null("count") }
  guard components != nil || capacity == 0 else { throw .null("components") }
  var found = 0
  each { number in
    if found < capacity { components?[found] = number }
    found &+= 1
  }
  count.pointee = found
  guard found <= capacity else {
    throw Refusal(.tooBig, "capacity", "is needed", .number(UInt64(found)))
  }
}

@implementation @_cdecl("mainstem_navigator_ready")
public func mainstem_navigator_ready(_ context: OpaquePointer?) -> mainstem_status {
  call("mainstem_navigator_ready", context) { () throws(Refusal) in
    let types = try Navigator.types(of: try ResolvedHandle.sending(Handle(context)).stream)
    try Stream.send(Handle(context), types.ready, nil, 0)
  }
}

@implementation @_cdecl("mainstem_component_shown")
public func mainstem_component_shown(
  _ context: OpaquePointer?, _ component: UInt64
) -> mainstem_status {
  callOfAnswer("mainstem_component_shown", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle(Handle(context), .context)
    try Navigator.using(resolved.stream) { (navigator) throws(Refusal) in
      try navigator.answerShow(of: component, through: context)
    }
  }
}

@implementation @_cdecl("mainstem_component_gone")
public func mainstem_component_gone(
  _ context: OpaquePointer?, _ component: UInt64
) -> mainstem_status {
  call("mainstem_component_gone", context) { () throws(Refusal) in
    let types = try Navigator.types(of: try ResolvedHandle.sending(Handle(context)).stream)
    try withUnsafeBytes(of: component) { (bytes) throws(Refusal) in
      try Stream.send(Handle(context), types.gone, bytes.baseAddress, bytes.count)
    }
  }
}

// MARK: The tree

@implementation @_cdecl("mainstem_navigator_tree")
public func mainstem_navigator_tree(
  _ context: OpaquePointer?, _ components: UnsafeMutablePointer<UInt64>?, _ capacity: Int,
  _ count: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  count?.pointee = 0
  return call("mainstem_navigator_tree", context) { () throws(Refusal) in
    let stream = try ResolvedHandle.own(Handle(context), whileClosing: true).stream
    try Navigator.using(stream) { (navigator) throws(Refusal) in
      try list(to: components, capacity, count) { navigator.eachShown($0) }
    }
  }
}

@implementation @_cdecl("mainstem_component_read")
public func mainstem_component_read(
  _ context: OpaquePointer?, _ component: UInt64,
  _ show: UnsafeMutablePointer<mainstem_component_info>?,
  _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> mainstem_status {
  call("mainstem_component_read", context) { () throws(Refusal) in
    let stream = try ResolvedHandle.own(Handle(context), whileClosing: true).stream
    try Navigator.using(stream) { (navigator) throws(Refusal) in
      guard let length = navigator.write(component, to: nil) else {
        throw Refusal(.stale, "component", "is not there", .number(component))
      }
      guard let room = Memory.allocate(UInt8.self, count: length) else { throw .noMemory }
      defer { Memory.free(room) }
      guard navigator.write(component, to: UnsafeMutableRawPointer(room)) == length else {
        throw Refusal(.stale, "component", "is not there", .number(component))
      }
      try read(Bytes(UnsafeRawPointer(room), length), to: show, text, capacity)
    }
  }
}
