// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import MainstemCore

// What all blocks do: they find types by name, and pass requests and answers on as those of other types.

extension ResolvedHandle {
  /// The number and the contract of a type.
  func type(
    _ name: UnsafePointer<CChar>?, _ argument: Phrase
  ) throws(Refusal) -> (number: mainstem_event_type, contract: Contract) {
    guard let name else { throw .null(argument) }
    let bytes = Bytes(zeroEnded: name)
    return try reading { () throws(Refusal) in
      let types = stream.state.pointee.types
      let number = types.find(bytes)
      guard let entry = types[number] else { throw types.unknown(bytes, argument) }
      return (number, entry.contract)
    }
  }

  /// The contract of the answer to a request; nil: that type was not added yet.
  func answer(to request: mainstem_event_type) throws(Refusal) -> Contract? {
    try reading { () throws(Refusal) in
      let types = stream.state.pointee.types
      return types[types.response(of: request)]?.contract
    }
  }
}

/// The name of a type, for a message.
func typeName(_ type: mainstem_event_type, _ server: OpaquePointer?) -> Bytes {
  var info = mainstem_type_info()
  info.size = UInt32(MemoryLayout<mainstem_type_info>.size)
  guard mainstem_type_read(server, type, &info) == 0, let name = info.name else {
    return Bytes("?")
  }
  return Bytes(zeroEnded: name)
}

extension Refusal.Subject {
  /// A name that was found.
  static func named(_ name: UnsafePointer<CChar>?) -> Refusal.Subject {
    name.map { .name(Bytes(zeroEnded: $0)) } ?? .none
  }
}

extension Int {
  /// How many requests a block keeps: a `size_t` whose upper half arrives as negative numbers; 0: the default.
  func most(byDefault standard: Int) -> Int { self == 0 ? standard : self < 0 ? .max : self }
}

extension UnsafePointer where Pointee == mainstem_event {
  /// Answers a request; if that answer is refused, with the reason.
  func respond(_ data: UnsafeRawPointer?, _ size: Int) {
    let status = mainstem_respond(self, data, size)
    if status != 0 { mainstem_respond_error(self, status, mainstem_last_error()) }
  }

  /// Answers a request with what another one was answered with.
  func relay(to request: UnsafePointer<mainstem_event>) {
    guard pointee.status != 0 else { return request.respond(pointee.data, Int(pointee.size)) }
    var error = mainstem_error()
    error.size = UInt32(MemoryLayout<mainstem_error>.size)
    mainstem_event_error(self, &error)
    mainstem_respond_error_with(request, &error)
  }
}
