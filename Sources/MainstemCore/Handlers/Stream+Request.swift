// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Asking: a tracked send that gets exactly one final response.
extension Stream {
  /// Sends a request and tracks it.
  package static func request(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int,
    _ function: mainstem_event_fn?, _ userData: UnsafeMutableRawPointer?
  ) throws(Refusal) -> Handle {
    let entrance = try Entrance.own(handle)
    let stream = entrance.stream
    var draft = try entrance.draft(type, data, size)
    let completion = Request.Completion(function, userData, handle, entrance.origin)
    let request = try stream.track(type, completion, entrance)
    let tracked = request.pointee.handle
    draft.flags = UInt32(MAINSTEM_EVENT_TRACKED)
    draft.reply = tracked.bits
    do throws(Refusal) {
      try stream.accept(draft, entrance.slot, entrance.key, Request.place(of: request))
    } catch {
      _ = stream.settle(request.pointee.slot, tracked)
      stream.locked { stream.forget(request) }
      throw error
    }
    return tracked
  }

  /// Makes the record of a request, with all that its answer will need.
  private func track(
    _ type: UInt32, _ completion: Request.Completion, _ entrance: Entrance
  ) throws(Refusal) -> Request.Pointer {
    guard let request = Memory.allocate(Request.self) else { throw .noMemory }
    guard let reserve = KeptEvent.make(capacity: Request.reserveSize) else {
      Memory.free(request)
      throw .noMemory
    }
    do throws(Refusal) {
      try entrance.locked { () throws(Refusal) in
        let response = try responseType(of: type)
        guard
          let (slot, handle) = state.pointee.slots.make(
            .request, stream: address, object: request)
        else { throw Refusal(.limit, "", "no handle is left") }
        request.initialize(
          to: Request(
            slot: slot, handle: handle, type: type, response: response, completion: completion,
            reserve: reserve))
        link(request)
      }
    } catch {
      Memory.free(reserve)
      Memory.free(request)
      throw error
    }
    return request
  }

  /// The type that answers a request type. Under the lock.
  package func responseType(of type: UInt32) throws(Refusal) -> UInt32 {
    guard let entry = state.pointee.types[type], entry.contract.role == .request else {
      throw Refusal(.invalid, "type", "is no request")
    }
    let response = state.pointee.types.response(of: type)
    guard response != 0 else {
      throw Refusal(
        .invalid, "type", "names no registered response", .name(entry.name.bytes))
    }
    return response
  }

  /// Gives a request up.
  package static func cancelRequest(_ handle: Handle) throws(Refusal) {
    let entrance = try Entrance.own(handle, .request, "pending")
    let stream = entrance.stream
    stream.state.pointee.lock.acquire()
    guard entrance.isLive, !stream.isClosed, let object = entrance.slot.pointee.object,
      stream.settle(entrance.slot, handle)
    else {
      stream.state.pointee.lock.release()
      throw Refusal(.stale, "pending", "has its answer")
    }
    let request = object.assumingMemoryBound(to: Request.self)
    let error = ErrorValue(.cancelled, "the request was given up")
    guard let draft = stream.draft(request, error), let kept = request.pointee.reserve else {
      return stream.state.pointee.lock.release()
    }
    request.pointee.reserve = nil
    if Frame.of(stream) != nil {
      stream.state.pointee.lock.release()
      stream.enqueue(draft, kept)
    } else {
      stream.place(draft, in: kept)
    }
  }

  /// The position of a request that is still open.
  package static func position(ofRequest handle: Handle) throws(Refusal) -> UInt64 {
    let entrance = try Entrance(handle, .request, "pending")
    let position = entrance.stream.locked { () -> UInt64? in
      guard entrance.isLive, let object = entrance.slot.pointee.object else { return nil }
      return object.assumingMemoryBound(to: Request.self).pointee.placed.position
    }
    guard let position else { throw Refusal(.stale, "pending", "has its answer") }
    return position
  }
}
