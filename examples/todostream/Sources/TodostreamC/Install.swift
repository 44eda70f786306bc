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

  let flags = options.pointee.flags
  guard flags & ~UInt32(TODOSTREAM_VALIDATES | TODOSTREAM_ANALYTICS) == 0 else {
    return mainstem_status(MAINSTEM_UNSUPPORTED)
  }

  let store = SQLiteStore(
    path: String(cString: path), patience: Patience(milliseconds: options.pointee.patience_ms))
  let userData = options.pointee.user_data
  let clock = options.pointee.now.map { now in { Moment(microseconds: now(userData)) } }
  do {
    let context = Context(borrowing: context)
    let app = try context.open(
      ViewModelServer(
        in: context, now: clock, validates: flags & UInt32(TODOSTREAM_VALIDATES) != 0))
    do {
      // A thread of its own: while the store waits for the disk, everything else goes on.
      try app.install(ModelServer(store: store), on: try app.serial("todo store"))
      if flags & UInt32(TODOSTREAM_ANALYTICS) != 0 { try Analytics(in: app, .todos) }
    } catch {
      try? app.close()
      throw error
    }
    server?.pointee = app.handle
    return mainstem_status(MAINSTEM_OK)
  } catch {
    return ((error as? StreamError)?.status ?? .invalid).rawValue
  }
}

@implementation @_cdecl("todostream_view")
public func todostream_view(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ view: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  var options = mainstem_scope_options()
  options.size = UInt32(MemoryLayout<mainstem_scope_options>.size)
  options.send_layers = 1 << (MAINSTEM_LAYER_VIEWMODEL >> 40)
  options.observe_layers = options.send_layers
  return mainstem_scope_add(context, name, &options, view)
}
