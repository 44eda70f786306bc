// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// A tracked request that waits for its answer. Under the stream's lock, but for the slot's state, on
/// which those who would answer race, and `completion`, which the one delivery of the answer reads.
package struct Request {
  /// First, so that a pointer to the request is a pointer to its place.
  package var placed = Placed()
  package let slot: Slot.Pointer
  package let handle: Handle
  package let type: UInt32
  package let response: UInt32
  package let completion: Completion
  /// Room for an answer of the core's own, so that it cannot fail.
  package var reserve: KeptEvent.Pointer?
  package var previous: Pointer?
  package var next: Pointer?

  package typealias Pointer = UnsafeMutablePointer<Request>

  package init(
    slot: Slot.Pointer, handle: Handle, type: UInt32, response: UInt32, completion: Completion,
    reserve: KeptEvent.Pointer
  ) {
    self.slot = slot
    self.handle = handle
    self.type = type
    self.response = response
    self.completion = completion
    self.reserve = reserve
  }

  /// Who gets the answer.
  package struct Completion {
    package let function: mainstem_event_fn?
    package let userData: UnsafeMutableRawPointer?
    /// The handle it was requested with.
    package let through: OpaquePointer?
    package let origin: UInt32

    package init(
      _ function: mainstem_event_fn?, _ userData: UnsafeMutableRawPointer?, _ through: Handle,
      _ origin: UInt32
    ) {
      self.origin = origin
      self.function = function
      self.userData = userData
      self.through = through.pointer
    }
  }
}

extension Request {
  /// How long the core's own errors may be, packed.
  package static var reserveSize: Int { 128 }

  package static func place(of request: Pointer) -> UnsafeMutablePointer<Placed> {
    UnsafeMutableRawPointer(request).assumingMemoryBound(to: Placed.self)
  }

}

extension Stream {
  /// Settles a request: the one caller for whom this is true gives the answer.
  package func settle(_ slot: Slot.Pointer, _ handle: Handle) -> Bool {
    guard let (_, key) = Slot.find(handle) else { return false }
    let answered = key & ~0xFF | UInt64(Kind.answered.rawValue)
    let isOurs = slot.pointee.state.compareExchange(
      expected: key, desired: answered, ordering: .acquiringAndReleasing
    ).exchanged
    if isOurs { state.pointee.openRequests.wrappingSubtract(1, ordering: .relaxed) }
    return isOurs
  }
}
