// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a call wants to send, checked: the handle, the rights, the contract, the size.
extension ResolvedHandle {
  /// A checked draft of an event sent through this handle.
  @_optimize(speed)
  package func draft(
    _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int, to act: Act = .send
  ) throws(Refusal) -> Draft {
    guard isLive, !stream.isClosed else { throw .ended }
    let contract = stream.contract(of: type)
    if contract.bits != 0 { try demand(act, of: type) }
    do throws(Refusal) {
      try stream.demandForm(contract, type, data, size)
    } catch {
      guard isLive else { throw .ended }
      throw error
    }
    var draft = Draft(type: type, data: data, size: size, origin: origin)
    draft.flags = contract.flags
    return draft
  }
}

extension Stream {
  /// Refuses what no program may send, whatever waits: an unknown type, a payload that is too big or breaks the contract,
  /// an event that could not be recorded.
  @inline(__always)
  package func demandForm(
    _ contract: Contract, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    guard contract.bits != 0, allows(size), contract.admits(data, size) else {
      throw refusal(type, data, size)
    }
    try demandRecording(of: size)
  }
}
