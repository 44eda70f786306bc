// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Registering event types. A new type takes along the observers whose pattern it matches.
extension Stream {
  /// The number of a type, new or known. Under the lock.
  package func addType(
    _ name: Bytes, _ bits: UInt64, response: Bytes?
  ) throws(Refusal) -> UInt32 {
    let contract = try Contract(checking: bits, for: name, layers: state.pointee.layers.count)
    try demandAnswerable(name, contract, response: response)
    let known = state.pointee.types.find(name)
    if known != 0 {
      try state.pointee.types.confirm(known, contract, response: response, inReplay: isFed)
      return known
    }
    // The end of a scope that has a value is told.
    if contract.isValue { try addEndType() }
    let type = UInt32(truncatingIfNeeded: state.pointee.types.count &+ 1)
    try openObservers(of: type, contract) { () throws(Refusal) in
      _ = try state.pointee.types.add(name, contract, response: response)
    }
    return type
  }

  /// Refuses a value that has a response, or is one.
  private func demandAnswerable(
    _ name: Bytes, _ contract: Contract, response: Bytes?
  ) throws(Refusal) {
    let isValue = contract.isValue
    if let response, isValue || state.pointee.types.role(of: response) == .value {
      throw Refusal(
        .invalid, "response", "makes a value a request or a response: use another type",
        .name(response))
    }
    if isValue, state.pointee.types.isResponse(name) {
      throw Refusal(
        .invalid, "contract", "is a value, but a type names it as its response", .name(name))
    }
  }

  /// A type's contract; no bits if there is none.
  package func contract(of type: UInt32) -> Contract {
    state.pointee.observers.find(type)?.pointee.contract ?? Contract(bits: 0)
  }
}

extension ResolvedHandle {
  /// The number of a type that a host registers, new or known.
  @inline(never)
  package func addType(
    _ name: Bytes, _ contract: UInt64, response: Bytes?
  ) throws(Refusal) -> UInt32 {
    try demandRegistration(of: name, contract, response: response)
    return try locked { () throws(Refusal) in
      if name.hasPrefix("Mainstem"), stream.state.pointee.types.find(name) == 0 {
        throw Refusal(
          .invalid, "name", "is a name reserved for the library: choose one without Mainstem",
          .name(name))
      }
      return try stream.addType(name, contract, response: response)
    }
  }
}
