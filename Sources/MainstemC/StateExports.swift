// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/screens.h: view models, bindings

public import CMainstem
internal import MainstemCore

// MARK: Models

@implementation @_cdecl("mainstem_viewmodel_add")
public func mainstem_viewmodel_add(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ rows: UnsafePointer<mainstem_viewmodel_row>?, _ rowSize: Int, _ count: Int,
  _ show: mainstem_show_fn?, _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
  _ model: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_viewmodel_add", context) { () throws(Refusal) in
    model?.pointee = nil
    _ = try ResolvedHandle.changing(Handle(context))
    let table = try Table(rows, rowSize, count, "rows", hasGrown: true)
    try addModel(context, name, table, count, show, nil, userData, release, model)
  }
}

/// Adds a model, which may be a reactor.
@inline(never)
func addModel(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ rows: Table<mainstem_viewmodel_row>,
  _ count: Int, _ show: mainstem_show_fn?, _ reactor: mainstem_reactor_table?,
  _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
  _ model: UnsafeMutablePointer<OpaquePointer?>?
) throws(Refusal) {
  let bytes = name == nil ? nil : try Name.check(name, "name")
  let made = try Model.prepare(
    Handle(context), bytes, count,
    { index throws(Refusal) in try ModelRowGiven(rows[index]) }, show, reactor: reactor, userData,
    release)
  do throws(Refusal) {
    try Requests.addServer(
      Handle(context), bytes, count: made.pointee.handlerCount, { made.pointee.handler($0) },
      showing: Show.Function(showModel, nil, isOfModel: true), made, freeModel, model)
  } catch {
    Model.free(made)
    throw error
  }
}

// MARK: Bindings

@implementation @_cdecl("mainstem_binding_add")
public func mainstem_binding_add(
  _ view: OpaquePointer?, _ owner: OpaquePointer?,
  _ rows: UnsafePointer<mainstem_binding_row>?, _ rowSize: Int, _ count: Int,
  _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
  _ binding: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_binding_add", view) { () throws(Refusal) in
    binding?.pointee = nil
    let table = try Table(rows, rowSize, count, "rows", hasGrown: true)
    try Binding.bind(
      Handle(view), to: Handle(owner), count: count,
      { BindingRowGiven(table[$0]) }, userData, release, binding)
  }
}

@implementation @_cdecl("mainstem_binding_retarget")
public func mainstem_binding_retarget(
  _ binding: OpaquePointer?, _ owner: OpaquePointer?
) -> mainstem_status {
  call("mainstem_binding_retarget", nil) { () throws(Refusal) in
    try Binding.point(Handle(binding), at: Handle(owner))
  }
}

@implementation @_cdecl("mainstem_binding_on_changes")
public func mainstem_binding_on_changes(
  _ binding: OpaquePointer?, _ fn: mainstem_changes_fn?, _ userData: UnsafeMutableRawPointer?
) -> mainstem_status {
  call("mainstem_binding_on_changes", nil) { () throws(Refusal) in
    try Binding.tellChanges(Handle(binding), fn, userData)
  }
}

@implementation @_cdecl("mainstem_binding_on_ended")
public func mainstem_binding_on_ended(
  _ binding: OpaquePointer?, _ fn: mainstem_ended_fn?, _ userData: UnsafeMutableRawPointer?
) -> mainstem_status {
  call("mainstem_binding_on_ended", nil) { () throws(Refusal) in
    try Binding.tellEnd(Handle(binding), fn, userData)
  }
}

@implementation @_cdecl("mainstem_binding_set")
public func mainstem_binding_set(
  _ binding: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ data: UnsafeRawPointer?, _ size: Int
) -> mainstem_status {
  callOfView("mainstem_binding_set") { () throws(Refusal) in
    try Binding.write(Handle(binding), try Name.check(name, "name"), data, size)
  }
}

@implementation @_cdecl("mainstem_binding_run")
public func mainstem_binding_run(
  _ binding: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ data: UnsafeRawPointer?, _ size: Int,
  _ fn: mainstem_event_fn?, _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
  _ pending: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  callOfView("mainstem_binding_run") { () throws(Refusal) in
    pending?.pointee = nil
    try Binding.run(
      Handle(binding), try Name.check(name, "name"), data, size, fn, userData, release, pending)
  }
}

@implementation @_cdecl("mainstem_binding_end")
public func mainstem_binding_end(_ binding: OpaquePointer?) -> mainstem_status {
  call("mainstem_binding_end", nil) { () throws(Refusal) in
    guard let binding else { return }
    try Binding.end(Handle(binding))
  }
}
