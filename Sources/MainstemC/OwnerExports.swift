// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/scopes.h: factories

public import CMainstem
internal import MainstemCore

@implementation @_cdecl("mainstem_factory_add")
public func mainstem_factory_add(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ contract: mainstem_contract,
  _ make: mainstem_make_fn?, _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?
) -> mainstem_status {
  call("mainstem_factory_add", context) { () throws(Refusal) in
    try addFactory(context, name, contract, make, userData, release, serving: nil, -1)
  }
}

/// Adds a factory.
///
/// - Parameter types: Those that it serves; nil: it is no service.
func addFactory(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ contract: mainstem_contract,
  _ make: mainstem_make_fn?, _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
  serving types: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
) throws(Refusal) {
  _ = try ResolvedHandle.changing(Handle(context))
  let bytes = try Name.check(name, "name")
  guard let make else { throw .null("make") }
  let made = try Factory.prepare(
    Handle(context), bytes, contract, serving: types, count, make, userData, release)
  defer { made.free() }
  do throws(Refusal) {
    try addServer(
      context, made.open.text, made.rows, MemoryLayout<mainstem_handler_row>.stride, made.count,
      nil,
      made.factory, freeFactory, nil)
  } catch {
    Factory.takeBack(made.factory)
    throw error
  }
}

@implementation @_cdecl("mainstem_instance_open")
public func mainstem_instance_open(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ data: UnsafeRawPointer?, _ size: Int,
  _ fn: mainstem_event_fn?, _ userData: UnsafeMutableRawPointer?,
  _ pending: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_instance_open", context) { () throws(Refusal) in
    pending?.pointee = nil
    let resolved = try ResolvedHandle.asking(Handle(context))
    let type = try Factory.type(try Name.check(name, "name"), in: resolved)
    try ask(context, type, data, size, Request.Completion(fn, userData), pending)
  }
}
