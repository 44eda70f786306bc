// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

extension Stream {
  /// The stream of an event that a callback got or that was retained.
  package static func of(_ event: UnsafePointer<mainstem_event>) throws(Refusal) -> Stream {
    if let frame = Frame.of(event) {
      guard !frame.pointee.stream.isForked else { throw .forked }
      return frame.pointee.stream
    }
    let context = UInt64(UInt(bitPattern: event.pointee.context))
    // A request and its answer know their stream even after the scope has ended.
    let reply = Handle(bits: event.pointee.reply)
    if reply != .none, let (slot, key) = Slot.find(reply),
      slot.pointee.state.load(ordering: .acquiring) >> 8 == key >> 8,
      let stream = Stream(address: slot.pointee.stream)
    {
      return stream
    }
    let home = Handle(bits: event.pointee.home)
    if home != .none { return try ResolvedHandle(home, .retained, "event").stream }
    return try ResolvedHandle(Handle(bits: context), .context, "event").stream
  }
}
