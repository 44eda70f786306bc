// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The error for a request that no server handles: it names the servers there are.
extension Stream {
  /// Writes the error into a request's room, as `ErrorValue` packs it, and returns its size. Under the lock.
  func writeUnhandled(_ request: Request.Pointer) -> Int {
    var writer = MessageWriter(
      Request.payload(of: request), capacity: Request.capacity(of: request) &- 3)
    writer.add(Bytes("no server handles "))
    writer.add(state.pointee.types[request.pointee.type]?.name.bytes ?? Bytes(""))
    addServers(to: &writer)
    return writer.end()
  }

  private func addServers(to writer: inout MessageWriter) {
    let more = Bytes(", …")
    var isFirst = true
    state.pointee.scopes.eachServer { name, isLast in
      if isFirst { writer.add(Bytes("; the servers are ")) }
      guard writer.hasRoom(for: name.count &+ 2 &+ (isLast ? 0 : more.count)) else {
        writer.add(isFirst ? Bytes("…") : more)
        isFirst = false
        return false
      }
      if !isFirst { writer.add(Bytes(", ")) }
      writer.add(name)
      isFirst = false
      return true
    }
    if isFirst { writer.add(Bytes(": there is none in this context")) }
  }
}

/// Writes a message into room of a known size. A part that does not fit is left out whole.
struct MessageWriter {
  private let memory: UnsafeMutableRawPointer
  private let capacity: Int
  private var length = 0

  init(_ memory: UnsafeMutableRawPointer, capacity: Int) {
    self.memory = memory
    self.capacity = capacity
  }

  func hasRoom(for count: Int) -> Bool { count <= capacity &- length }

  mutating func add(_ bytes: Bytes) {
    guard hasRoom(for: bytes.count) else { return }
    memory.advanced(by: length).copyMemory(from: bytes.start, byteCount: bytes.count)
    length &+= bytes.count
  }

  /// Ends the message, adds an empty text and subject, and returns the size of the whole.
  func end() -> Int {
    memory.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
    memory.storeBytes(of: 0, toByteOffset: length &+ 1, as: UInt8.self)
    memory.storeBytes(of: 0, toByteOffset: length &+ 2, as: UInt8.self)
    return length &+ 3
  }
}
