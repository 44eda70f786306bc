// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Stubs: a reactor does nothing, and shows what a test gives.
extension Stream {
  package static func stub(_ handle: Handle, _ state: UnsafeRawPointer?) throws(Refusal) {
    let resolved = try ResolvedHandle.changing(handle, .context, "reactor")
    let found = try resolved.locked { () throws(Refusal) in
      (resolved.reactor, resolved.stream.state.pointee.scopes.describe(resolved.origin)?.name)
    }
    guard let model = found.0, let reactor = model.pointee.reactor, let owner = found.1 else {
      throw Refusal(.invalid, "reactor", "is no reactor")
    }
    let size = Int(reactor.pointee.table.state_size)
    let contract = Contract.Payload.structure.rawValue << 32 | UInt64(size)
    let name = try Name(owner, Bytes("state"), Bytes(""))
    defer { name.free() }
    let type = try resolved.addType(
      name.bytes, Contract.of(contract, .notice, .view), response: nil)
    if !reactor.pointee.isStub {
      var options = Subscription.Options(
        { forceState($0, $1) }, UnsafeMutableRawPointer(model), nil, .one(type))
      (options.call.isOfOneOrigin, options.origin) = (true, resolved.origin)
      try resolved.stream.observe(options, through: resolved, handle, of: resolved, nil)
      reactor.pointee.isStub = true
    }
    if let state { try send(handle, type, state, size) }
  }
}

private func forceState(
  _ userData: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let event, let model = userData?.assumingMemoryBound(to: Model.self) else { return }
  model.pointee.reactor?.pointee.force(event)
}
