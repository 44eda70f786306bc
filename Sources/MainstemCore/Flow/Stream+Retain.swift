// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Keeping events beyond their callbacks. The kept ones of a stream are a list, so that closing ends them.
extension Stream {
  /// Keeps a copy of an event.
  package static func retain(
    _ event: UnsafePointer<mainstem_event>
  ) throws(Refusal) -> Handle {
    let stream = try Stream.of(event)
    guard let kept = KeptEvent.make(copying: event) else { throw .noMemory }
    let state = stream.state
    do throws(Refusal) {
      return try stream.locked { () throws(Refusal) in
        // The stream may be closing, but it cannot be closed while its own callback runs.
        guard state.pointee.root != nil else { throw .closed }
        guard
          let (slot, handle) = state.pointee.slots.make(
            .retained, stream: stream.address, object: kept)
        else { throw Refusal(.limit, "", "no handle is left") }
        kept.pointee.key = UInt64(UInt(bitPattern: slot))
        // Its own handle, not the context's: who may only observe must not get hold of more.
        kept.pointee.event.home = handle.bits
        kept.pointee.event.through = UInt64(Stream.origin(through: event))
        kept.pointee.next = state.pointee.firstRetained
        kept.pointee.other = nil
        state.pointee.firstRetained?.pointee.other = UnsafeMutableRawPointer(kept)
        state.pointee.firstRetained = kept
        state.pointee.counts.retained &+= 1
        return handle
      }
    } catch {
      KeptEvent.free(kept)
      throw error
    }
  }

  /// The event behind a handle.
  package static func retained(
    _ handle: Handle
  ) throws(Refusal) -> UnsafePointer<mainstem_event> {
    let entrance = try Entrance(handle, .retained, "retained")
    let kept = entrance.stream.locked { entrance.isLive ? entrance.kept : nil }
    guard let kept else { throw Refusal(.stale, "retained", "has ended") }
    return UnsafePointer(KeptEvent.event(of: kept))
  }

  /// Ends a kept event.
  package static func endRetained(_ handle: Handle) throws(Refusal) {
    let entrance = try Entrance(handle, .retained, "retained")
    let stream = entrance.stream
    let kept = stream.locked { () -> KeptEvent.Pointer? in
      guard entrance.isLive, let kept = entrance.kept else { return nil }
      stream.unlinkRetained(kept)
      stream.state.pointee.slots.end(entrance.slot)
      return kept
    }
    guard let kept else { throw Refusal(.stale, "retained", "has ended") }
    KeptEvent.free(kept)
  }

  /// Ends all kept events, when the stream is closed. Under the lock.
  package func endAllRetained() {
    while let kept = state.pointee.firstRetained {
      unlinkRetained(kept)
      if let slot = Slot.Pointer(bitPattern: UInt(kept.pointee.key)) {
        state.pointee.slots.end(slot)
      }
      KeptEvent.free(kept)
    }
  }

  private func unlinkRetained(_ kept: KeptEvent.Pointer) {
    let previous = kept.pointee.other?.assumingMemoryBound(to: KeptEvent.self)
    if let previous {
      previous.pointee.next = kept.pointee.next
    } else {
      state.pointee.firstRetained = kept.pointee.next
    }
    kept.pointee.next?.pointee.other = kept.pointee.other
    state.pointee.counts.retained &-= 1
  }
}

extension Stream {
  /// The stream of an event that a callback got, or that was kept.
  package static func of(_ event: UnsafePointer<mainstem_event>) throws(Refusal) -> Stream {
    if let frame = Frame.of(event) {
      guard !frame.pointee.stream.isForked else { throw .forked }
      return frame.pointee.stream
    }
    let context = UInt64(UInt(bitPattern: event.pointee.context))
    // A request and its answer also know their stream when the scope has ended.
    let reply = Handle(bits: event.pointee.reply)
    if reply != .none, let (slot, key) = Slot.find(reply),
      slot.pointee.state.load(ordering: .acquiring) >> 8 == key >> 8,
      let stream = Stream(address: slot.pointee.stream)
    {
      return stream
    }
    let home = Handle(bits: event.pointee.home)
    if home != .none { return try Entrance(home, .retained, "event").stream }
    return try Entrance(Handle(bits: context), .context, "event").stream
  }

  /// The origin of the scope through which an event was observed; of a kept one also when that has ended.
  package static func origin(through event: UnsafePointer<mainstem_event>) -> UInt32 {
    if event.pointee.home != 0 { return UInt32(truncatingIfNeeded: event.pointee.through) }
    if let frame = Frame.of(event) {
      return frame.pointee.row?.pointee.scope.pointee.origin ?? frame.pointee.origin
    }
    let handle = Handle(bits: UInt64(UInt(bitPattern: event.pointee.context)))
    guard let entrance = try? Entrance(handle, .context, "event") else { return 0 }
    return entrance.origin
  }
}

extension Entrance {
  /// The kept event behind its handle. Under the lock.
  fileprivate var kept: KeptEvent.Pointer? {
    slot.pointee.object?.assumingMemoryBound(to: KeptEvent.self)
  }
}
