// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Tracking: the record of a request, until it is settled.
extension Stream {
  /// Makes the record of a request, with everything its answer will need. Under the lock.
  @inline(__always)
  func track(
    _ type: UInt32, _ observers: TypeObservers.Pointer, _ completion: inout Request.Completion,
    _ resolved: ResolvedHandle, _ tells: inout Bool, isShared: Bool = false
  ) throws(Refusal) -> (Request.Pointer, Scope.Pointer) {
    guard let scope = resolved.scope else { throw .ended }
    if observers.pointee.open.load(ordering: .relaxed) & TypeObservers.reported != 0 {
      try prepareActivity(type, observers)
    }
    if completion.schedulerNumber != Schedulers.immediate { try choose(&completion) }
    guard
      let (request, room) = isShared ? Request.allocateShared() : Request.allocate(observers)
    else {
      Memory.free(completion.place)
      throw .noMemory
    }
    guard
      let (slot, handle) = state.pointee.slots.make(.request, stream: address, object: request)
    else {
      Memory.free(completion.place)
      Memory.free(request)
      throw .lacking(.handles)
    }
    Request.initialize(
      request, room: room, slot: slot, handle: handle, observers: observers, type: type,
      completion: completion)
    if completion.timeout > 0,
      !arm(Request.deadline(of: request), after: completion.timeout, tells: &tells)
    {
      untrack(request)
      throw .noMemory
    }
    return (request, scope)
  }

  /// Finds the scheduler for a completion and allocates its queue entry. Under the lock.
  private func choose(_ completion: inout Request.Completion) throws(Refusal) {
    completion.scheduler = try scheduler(completion.schedulerNumber)
    completion.place = Memory.allocate(QueueEntry.self)
    guard completion.place != nil else { throw .noMemory }
  }

  /// Takes back a request that was never made. Under the lock.
  func untrack(_ request: Request.Pointer) {
    disarm(Request.deadline(of: request))
    state.pointee.slots.end(request.pointee.slot)
    Memory.free(request.pointee.completion.place)
    Memory.free(request)
  }

  /// The core's answer to a request whose time is over; nil if it is settled, and its answer on its way. Under the
  /// lock.
  @inline(__always)
  func expire(_ request: Request.Pointer) -> KeptEvent? {
    guard settle(request.pointee.slot, request.pointee.handle) != nil else { return nil }
    let error = ErrorValue(.timeout, "the request was not answered in time")
    return KeptEvent(draft(request, error), in: Request.room(of: request))
  }
}

extension Request {
  /// Notes a request's position and correlation, and whether it is an input.
  package static func put(
    _ request: Pointer, at position: UInt64, _ correlation: UInt64, isInput: Bool
  ) {
    request.pointee.position = position
    request.pointee.correlation = correlation
    request.pointee.isInput = isInput
  }
}
