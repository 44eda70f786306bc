// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import CMainstem
internal import MainstemCore

/// Events that a host packed: headers from the front, payloads behind them.
private struct Batch {
  private let start: UnsafeRawPointer?
  private let size: Int
  let count: Int

  init(_ start: UnsafeRawPointer?, _ size: Int, _ count: Int) throws(Refusal) {
    guard count >= 0, count <= 1 << 24 else {
      throw Refusal(.tooBig, "count", "is over 16,777,216 events")
    }
    guard start != nil || count == 0 else { throw .null("batch") }
    guard size >= count &* MemoryLayout<mainstem_header>.size else {
      throw Refusal(.invalid, "size", "is less than the headers take")
    }
    self.start = start
    self.size = size
    self.count = count
  }

  func header(_ index: Int) -> mainstem_header {
    start.unsafelyUnwrapped.loadUnaligned(
      fromByteOffset: index &* MemoryLayout<mainstem_header>.size, as: mainstem_header.self)
  }

  func payload(_ header: mainstem_header) throws(Refusal) -> UnsafeRawPointer {
    let (offset, length) = (Int(header.offset), Int(header.size))
    guard offset <= size, length <= size &- offset else {
      throw Refusal(.invalid, "batch", "has a payload that is not inside it")
    }
    return start.unsafelyUnwrapped + offset
  }
}

@implementation @_cdecl("mainstem_send_many")
public func mainstem_send_many(
  _ context: OpaquePointer?, _ batch: UnsafeRawPointer?, _ size: Int, _ count: Int,
  _ accepted: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  accepted?.pointee = 0
  return call("mainstem_send_many", context) { () throws(Refusal) in
    let entrance = try Entrance.own(Handle(context))
    let batch = try Batch(batch, size, count)
    if var gathering = Gathering(entrance) {
      return try sendTogether(batch, &gathering, accepted)
    }
    var index = 0
    while index < batch.count {
      do throws(Refusal) {
        let header = batch.header(index)
        let data = try batch.payload(header)
        try sendOne(Handle(context), header.type, data, Int(header.size))
      } catch {
        throw error.inRow(index)
      }
      index &+= 1
      accepted?.pointee = index
    }
  }
}

/// Where the context is recorded: what is accepted before a refusal is delivered all the same.
private func sendTogether(
  _ batch: Batch, _ gathering: inout Gathering, _ accepted: UnsafeMutablePointer<Int>?
) throws(Refusal) {
  var index = 0
  while index < batch.count {
    do throws(Refusal) {
      let header = batch.header(index)
      try gathering.send(header.type, batch.payload(header), Int(header.size))
    } catch {
      try gathering.end()
      throw error.inRow(index)
    }
    index &+= 1
    accepted?.pointee = index
  }
  try gathering.end()
}

@inline(__always)
private func sendOne(
  _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer, _ size: Int
) throws(Refusal) {
  if Stream.sendAtOnce(handle, type, data, size) { return }
  if Stream.sendToQueue(handle, type, data, size) { return }
  try Stream.send(handle, type, data, size)
}
