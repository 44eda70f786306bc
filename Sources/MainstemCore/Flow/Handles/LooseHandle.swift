// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Handles of what belongs to no stream. Their slots come from the process and return there.
package enum LooseHandle {
  package static func make(_ kind: Kind, _ object: UnsafeMutableRawPointer) throws(Refusal)
    -> Handle
  {
    var slots = FreeSlots()
    guard let (_, handle) = slots.make(kind, stream: 0, object: object) else {
      throw .lacking(.handles)
    }
    return handle
  }

  /// Finds what a handle names. Under the lock of all handles.
  package static func find(
    _ handle: Handle, _ kind: Kind, _ argument: Phrase
  ) throws(Refusal) -> Slot.Pointer {
    guard let (slot, key) = Slot.find(handle), kind.fits(key),
      slot.pointee.state.load(ordering: .acquiring) == key, slot.pointee.object != nil
    else { throw ResolvedHandle.refusal(handle, kind, argument) }
    return slot
  }

  /// Ends a handle that `find` finds under the lock, so that no thread is between finding it and using it.
  package static func end(
    _ find: () throws(Refusal) -> Slot.Pointer
  ) throws(Refusal) -> UnsafeMutableRawPointer? {
    var slots = FreeSlots()
    defer { slots.empty() }
    mainstem_p_handles_lock()
    defer { mainstem_p_handles_unlock() }
    let slot = try find()
    let object = slot.pointee.object
    slots.end(slot)
    return object
  }
}
