// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import CTodostream
import Mainstem
import TodoModel
import TodoSQLite
import TodoServers

@implementation @_cdecl("todostream_install")
public func todostream_install(
  _ context: OpaquePointer?, _ options: UnsafePointer<todostream_options>?,
  _ server: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  server?.pointee = nil
  guard let options, let path = options.pointee.path else {
    return mainstem_status(MAINSTEM_INVALID)
  }
  guard Int(options.pointee.size) == MemoryLayout<todostream_options>.size else {
    return mainstem_status(MAINSTEM_UNSUPPORTED)
  }

  var scope: OpaquePointer?
  let added = mainstem_scope_add(context, "todostream", &scope)
  guard added == MAINSTEM_OK else { return added }
  do throws(StreamError) {
    let store = SQLiteStore(
      path: String(cString: path), patience: Patience(milliseconds: options.pointee.patience_ms))
    let viewModels = ViewModelServer(
      now: Clock(scope, options.pointee).now, makeId: Ids(scope).next)
    try install(viewModels, ModelServer(store: store), in: Context(borrowing: scope))
    server?.pointee = scope
    return mainstem_status(MAINSTEM_OK)
  } catch {
    mainstem_scope_end(scope)
    return error.status.rawValue
  }
}

@implementation @_cdecl("todostream_view")
public func todostream_view(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ view: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  var options = mainstem_scope_options()
  mainstem_scope_options_init(&options, MemoryLayout<mainstem_scope_options>.size)
  options.send_layers = 1 << (MAINSTEM_LAYER_VIEWMODEL >> 40)
  options.observe_layers = options.send_layers
  return mainstem_scope_add_with(context, name, &options, view)
}

/// The store gets a thread of its own: while it waits for the disk, everything else goes on.
private func install(
  _ viewModels: ViewModelServer, _ model: ModelServer, in scope: Context
) throws(StreamError) {
  try scope.install(model, on: try scope.serial("todo store"))
  try scope.install(viewModels)
}
