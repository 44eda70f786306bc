// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/routes.h

public import CMainstem
internal import MainstemCore

// MARK: Routers

@implementation @_cdecl("mainstem_router_create")
public func mainstem_router_create(
  _ router: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_router_create", nil) { () throws(Refusal) in
    guard let router else { throw .null("router") }
    router.pointee = nil
    router.pointee = try OpenRouter.open().pointer
  }
}

@implementation @_cdecl("mainstem_router_type_add")
public func mainstem_router_type_add(
  _ router: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ accepts: mainstem_route_type_fn?,
  _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?
) -> mainstem_status {
  call("mainstem_router_type_add", nil) { () throws(Refusal) in
    try OpenRouter.with(Handle(router)) { (router) throws(Refusal) in
      try router.addType(name, accepts, userData, release)
    }
  }
}

@implementation @_cdecl("mainstem_router_add")
public func mainstem_router_add(
  _ router: OpaquePointer?, _ pattern: UnsafePointer<CChar>?,
  _ route: UnsafeMutablePointer<mainstem_route>?
) -> mainstem_status {
  call("mainstem_router_add", nil) { () throws(Refusal) in
    route?.pointee = 0
    let added = try OpenRouter.with(Handle(router)) { (router) throws(Refusal) in
      try router.add(pattern)
    }
    route?.pointee = added
  }
}

@implementation @_cdecl("mainstem_router_remove")
public func mainstem_router_remove(
  _ router: OpaquePointer?, _ route: mainstem_route
) -> mainstem_status {
  call("mainstem_router_remove", nil) { () throws(Refusal) in
    try OpenRouter.with(Handle(router)) { (router) throws(Refusal) in try router.remove(route) }
  }
}

@implementation @_cdecl("mainstem_router_match")
public func mainstem_router_match(
  _ router: OpaquePointer?, _ url: UnsafePointer<CChar>?,
  _ route: UnsafeMutablePointer<mainstem_route>?, _ match: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_router_match", nil) { () throws(Refusal) in
    route?.pointee = 0
    match?.pointee = nil
    let (number, found) = try OpenRouter.with(Handle(router)) { (router) throws(Refusal) in
      try RouteMatch.find(url, in: router, isWanted: match != nil)
    }
    if let found { match?.pointee = try RouteMatch.open(found).pointer }
    route?.pointee = number
  }
}

@implementation @_cdecl("mainstem_router_close")
public func mainstem_router_close(_ router: OpaquePointer?) -> mainstem_status {
  call("mainstem_router_close", nil) { () throws(Refusal) in
    guard let router else { return }
    try OpenRouter.close(Handle(router))
  }
}

// MARK: Matches

@implementation @_cdecl("mainstem_match_read")
public func mainstem_match_read(
  _ match: OpaquePointer?, _ info: UnsafeMutablePointer<mainstem_match_info>?
) -> mainstem_status {
  call("mainstem_match_read", nil) { () throws(Refusal) in
    let read = try RouteMatch.read(Handle(match))
    guard let info else { throw .null("info") }
    let size = info.pointee.size
    try checkSize(size, MemoryLayout<mainstem_match_info>.size, "info")
    info.pointee = read
    info.pointee.size = size
  }
}

@implementation @_cdecl("mainstem_match_text")
public func mainstem_match_text(
  _ match: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ size: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  text?.pointee = nil
  size?.pointee = 0
  return call("mainstem_match_text", nil) { () throws(Refusal) in
    guard let text else { throw .null("text") }
    let found = try RouteMatch.read(Handle(match), name)
    text.pointee = found.text
    size?.pointee = found.size
  }
}

@implementation @_cdecl("mainstem_match_release")
public func mainstem_match_release(_ match: OpaquePointer?) -> mainstem_status {
  call("mainstem_match_release", nil) { () throws(Refusal) in
    guard let match else { return }
    try RouteMatch.close(Handle(match))
  }
}

// MARK: Writing

@implementation @_cdecl("mainstem_route_write")
public func mainstem_route_write(
  _ pattern: UnsafePointer<CChar>?, _ values: UnsafePointer<mainstem_route_value>?, _ count: Int,
  _ url: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ length: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  length?.pointee = 0
  return call("mainstem_route_write", nil) { () throws(Refusal) in
    guard values != nil || count == 0 else { throw .null("values") }
    guard url != nil || capacity == 0 else { throw .null("url") }
    // Once to see whether it can be written, so that a refused call writes nothing.
    var measure = RouteWriter(values, count, nil, 0)
    let needed = try measure.write(pattern)
    length?.pointee = needed
    guard needed < capacity else {
      throw Refusal(
        .tooBig, "capacity", "bytes are needed, and one more", .number(UInt64(needed)))
    }
    var writer = RouteWriter(values, count, url, capacity)
    _ = try writer.write(pattern)
  }
}
