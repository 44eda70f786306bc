// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a call wants to send, checked: the handle, the rights, the contract, the size.
extension ResolvedHandle {
  /// A checked draft of an event sent through this handle.
  package func draft(
    _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int, to act: Act = .send
  ) throws(Refusal) -> Draft {
    guard isLive, !stream.isClosed else { throw .ended }
    let contract = stream.contract(of: type)
    if contract.bits != 0 { try demand(act, of: type) }
    guard contract.bits != 0, stream.allows(size), contract.admits(data, size) else {
      guard isLive else { throw .ended }
      throw stream.refusal(type, data, size)
    }
    try stream.demandRoomToRecord(size)
    var draft = Draft(type: type, data: data, size: size, origin: origin)
    draft.flags = contract.flags
    return draft
  }
}
