// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/scopes.h: services

public import CMainstem
internal import MainstemCore

@implementation @_cdecl("mainstem_service_add")
public func mainstem_service_add(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ types: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int, _ contract: mainstem_contract,
  _ make: mainstem_make_fn?, _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?
) -> mainstem_status {
  call("mainstem_service_add", context) { () throws(Refusal) in
    guard count >= 0, count <= 1 << 24 else {
      throw Refusal(.tooBig, "count", "is over 16,777,216 types")
    }
    guard types != nil || count == 0 else { throw .null("types") }
    try addFactory(context, name, contract, make, userData, release, serving: types, count)
  }
}

@implementation @_cdecl("mainstem_service_find")
public func mainstem_service_find(
  _ scope: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ service: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_service_find", scope) { () throws(Refusal) in
    guard let service else { throw .null("service") }
    service.pointee = nil
    let resolved = try ResolvedHandle.own(Handle(scope), .context, "scope")
    let found = try Factory.find(try Name.check(name, "name"), through: resolved)
    service.pointee = found.pointer
  }
}
