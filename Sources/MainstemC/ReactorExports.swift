// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/reactor.h

public import CMainstem
internal import MainstemCore

@implementation @_cdecl("mainstem_reactor_add")
public func mainstem_reactor_add(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ table: UnsafePointer<mainstem_reactor_table>?, _ userData: UnsafeMutableRawPointer?,
  _ release: mainstem_release_fn?, _ reactor: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_reactor_add", context) { () throws(Refusal) in
    reactor?.pointee = nil
    _ = try ResolvedHandle.changing(Handle(context))
    guard let table else { throw .null("table") }
    try checkSize(table.pointee.size, MemoryLayout<mainstem_reactor_table>.size, "table")
    guard table.pointee.reduce != nil else { throw .null("table.reduce") }
    guard table.pointee.state_size > 0 else {
      throw Refusal(.invalid, "table.state_size", "is 0: pass sizeof the state")
    }
    let rows = try Table(
      table.pointee.rows, table.pointee.row_size, table.pointee.count, "table.rows", hasGrown: true)
    try addModel(
      context, name, rows, table.pointee.count, nil, table.pointee, userData, release, reactor)
  }
}

@implementation @_cdecl("mainstem_reactor_mutate")
public func mainstem_reactor_mutate(
  _ action: UnsafePointer<mainstem_event>?, _ mutation: UnsafeRawPointer?, _ size: Int
) -> mainstem_status {
  call("mainstem_reactor_mutate", nil) { () throws(Refusal) in
    guard let action else { throw .null("action") }
    try Reactor.mutate(action, mutation, size)
  }
}

@implementation @_cdecl("mainstem_reactor_merge")
public func mainstem_reactor_merge(
  _ reactor: OpaquePointer?, _ mutation: UnsafeRawPointer?, _ size: Int
) -> mainstem_status {
  call("mainstem_reactor_merge", reactor) { () throws(Refusal) in
    try Reactor.merge(Handle(reactor), mutation, size)
  }
}

@implementation @_cdecl("mainstem_reactor_state")
public func mainstem_reactor_state(_ reactor: OpaquePointer?) -> UnsafeRawPointer? {
  Reactor.state(of: Handle(reactor))
}

@implementation @_cdecl("mainstem_reactor_stub")
public func mainstem_reactor_stub(
  _ reactor: OpaquePointer?, _ state: UnsafeRawPointer?
) -> mainstem_status {
  call("mainstem_reactor_stub", reactor) { () throws(Refusal) in
    try Reactor.stub(Handle(reactor), state)
  }
}
