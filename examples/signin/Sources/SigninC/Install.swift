// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import CSignin
import Mainstem
import SignIn

@implementation @_cdecl("signin_install")
public func signin_install(_ context: OpaquePointer?) -> mainstem_status {
  do {
    try install(in: Context(borrowing: context))
    return mainstem_status(MAINSTEM_OK)
  } catch {
    return ((error as? StreamError)?.status ?? .invalid).rawValue
  }
}

@implementation @_cdecl("signin_view")
public func signin_view(
  _ context: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ view: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  let layers: [UInt64] = [MAINSTEM_LAYER_VIEW, MAINSTEM_LAYER_VIEWMODEL].map { 1 << ($0 >> 40) }
  var options = mainstem_scope_options()
  options.size = UInt32(MemoryLayout<mainstem_scope_options>.size)
  options.send_layers = layers[0]
  options.observe_layers = layers[0] | layers[1]
  return mainstem_scope_add(context, name, &options, view)
}
