// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import CMainstem
internal import MainstemCore

@_optimize(speed)
@implementation @_cdecl("mainstem_send_many")
public func mainstem_send_many(
  _ context: OpaquePointer?, _ batch: UnsafeRawPointer?, _ size: Int, _ count: Int,
  _ accepted: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  accepted?.pointee = 0
  return call("mainstem_send_many", context) { () throws(Refusal) in
    let resolved = try ResolvedHandle.sending(Handle(context))
    let batch = try PackedEvents(batch, size, count)
    if var gathering = Gathering(batch, through: resolved) {
      return try sendTogether(&gathering, accepted)
    }
    var index = 0
    while index < batch.count {
      do throws(Refusal) {
        let row = try batch.row(index)
        try sendOne(Handle(context), row.type, row.data, row.size)
      } catch {
        throw error.inRow(index)
      }
      index &+= 1
      accepted?.pointee = index
    }
  }
}

/// Sends the whole batch together, for a recorded context.
private func sendTogether(
  _ gathering: inout Gathering, _ accepted: UnsafeMutablePointer<Int>?
) throws(Refusal) {
  do throws(Refusal) {
    try gathering.send()
  } catch {
    accepted?.pointee = gathering.count
    try gathering.acknowledge()
    throw error.inRow(gathering.count)
  }
  accepted?.pointee = gathering.count
  try gathering.acknowledge()
}

@inline(__always)
private func sendOne(
  _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer, _ size: Int
) throws(Refusal) {
  if Stream.sendAtOnce(handle, type, data, size) { return }
  if Stream.hasShortWay(from: handle), Stream.sendToQueue(handle, type, data, size) { return }
  try Stream.send(handle, type, data, size)
}
