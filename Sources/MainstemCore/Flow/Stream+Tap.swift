// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Before an event is accepted, before it is seen, and before a call says so: the tap is asked.
extension Stream {
  @inline(__always)
  package var tap: Tap.Pointer? {
    Tap.Pointer(bitPattern: state.pointee.tap.load(ordering: .acquiring))
  }

  /// Whether observers may see an event: where it is to be written down first, it has been. For the holder.
  @inline(__always)
  package func mayBeSeen(_ event: UnsafePointer<mainstem_event>) -> Bool {
    guard let tap else { return true }
    return tap.pointee.record(UnsafeMutableRawPointer(tap), UnsafeMutableRawPointer(state), event)
  }

  /// Refuses an event that could not be written down.
  @inline(__always)
  package func demandRoomToRecord(_ size: Int) throws(Refusal) {
    guard let tap else { return }
    let status = tap.pointee.admit(
      UnsafeMutableRawPointer(tap), UnsafeMutableRawPointer(state), size)
    guard status == 0 else { throw .unrecorded(status) }
  }

  /// Refuses a call where nothing is written down any more.
  @inline(__always)
  package func demandRecording() throws(Refusal) { try demandRoomToRecord(-1) }

  /// What a call that sent something promises when it returns OK.
  @inline(__always)
  package func acknowledge() throws(Refusal) {
    guard let tap else { return }
    let status = tap.pointee.acknowledge(
      UnsafeMutableRawPointer(tap), UnsafeMutableRawPointer(state))
    guard status == 0 else { throw .unrecorded(status) }
  }

  /// Forgets an event that could not be written down. For the holder.
  @inline(never)
  package func drop(_ kept: KeptEvent.Pointer) {
    let event = KeptEvent.event(of: kept)
    let draft = Draft(
      type: event.pointee.type, data: nil, size: Int(event.pointee.size), origin: 0)
    locked { breakPromise(to: kept, draft) }
    if event.pointee.reply != 0, let dropped = state.pointee.upcalls.dropped {
      dropped(UnsafeMutableRawPointer(state), UnsafeMutableRawPointer(event))
    }
    if let lender = kept.pointee.lender { takeBack(lender) } else { KeptEvent.release(kept) }
  }
}

extension Refusal {
  fileprivate static func unrecorded(_ status: Int32) -> Refusal {
    switch Status(rawValue: status) {
    case .noSpace:
      Refusal(.noSpace, "context", "is recorded, and there is no room left for it")
    case .poisoned:
      Refusal(.poisoned, "context", "has stopped: what was recorded may not have reached the disk")
    case .noMemory: .noMemory
    default:
      Refusal(.io, "context", "has stopped: what it accepts can be recorded no longer")
    }
  }
}

/// What waits for the holder.
extension Stream {
  /// How many events wait for the holder, and the bytes of their payloads. From any thread.
  package var waiting: (count: Int, bytes: Int) {
    let (own, arrived) = (holder.pointee.own.count, holder.pointee.arrived.count)
    let bytes = holder.pointee.own.bytes &+ holder.pointee.arrived.bytes
    return (
      own &+ arrived &+ state.pointee.shared.count, bytes &+ state.pointee.shared.bytes
    )
  }

  /// Visits what waits for the holder behind an event, in order and without a hole, until it is told to stop.
  /// For the holder.
  package func eachWaiting(
    after position: UInt64, _ visit: (UnsafePointer<mainstem_event>) -> Bool
  ) {
    if Word(bits: state.pointee.word.load(ordering: .acquiring)).isPending {
      locked {
        holder.pointee.arrived.append(&state.pointee.shared)
        clear(Word.pending)
      }
    }
    var (own, arrived) = (holder.pointee.own.first, holder.pointee.arrived.first)
    var last = position
    while true {
      skipOthers(&own)
      skipOthers(&arrived)
      guard let next = earlier(own, arrived) else { return }
      if next == own { own = next.pointee.next } else { arrived = next.pointee.next }
      let event = KeptEvent.event(of: next)
      guard event.pointee.position == last &+ 1, visit(event) else { return }
      last &+= 1
    }
  }

  /// What has its turn between two events is none.
  private func skipOthers(_ kept: inout KeptEvent.Pointer?) {
    while let found = kept, found.pointee.other != nil { kept = found.pointee.next }
  }

  private func earlier(
    _ own: KeptEvent.Pointer?, _ arrived: KeptEvent.Pointer?
  ) -> KeptEvent.Pointer? {
    guard let own else { return arrived }
    guard let arrived else { return own }
    return own.pointee.key < arrived.pointee.key ? own : arrived
  }
}
