// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// Running a command: what a view asks of the owner that it is bound to.
extension Binding {
  /// Requests a command of the owner. Like what a view writes, it is an input with the owner as its origin. It ends with
  /// the owner.
  package static func run(
    _ handle: Handle, _ name: Bytes, _ data: UnsafeRawPointer?, _ size: Int,
    _ function: mainstem_event_fn?, _ userData: UnsafeMutableRawPointer?,
    _ release: mainstem_release_fn?, _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.changing(handle, .binding, "binding")
    let stream = resolved.stream
    let (view, owner, _) = try resolved.ends(name)
    var draft = try view.draft(ofRun: name, data, size, owner)
    guard try stream.goesAhead(isInput: true) else {
      release?(userData)
      return
    }
    stream.endLeftovers()
    if let refused = stream.refusal(ofRun: draft.type, owner) {
      throw Refusal(refused, "name", refused.ofRefusedRun, .name(name))
    }
    guard let hold = RunHold.make(stream, function, userData, release) else { throw .noMemory }
    var completion = RunHold.completion(of: hold)
    completion.through = view.handle.pointer
    completion.origin = view.origin
    do throws(Refusal) {
      try stream.ask(&draft, &completion, owner, given, for: hold, of: resolved)
    } catch {
      given?.pointee = nil
      RunHold.giveUp(hold)
      throw error
    }
  }
}

extension ResolvedHandle {
  /// A checked draft of a run, with the rights of the view that this handle names.
  fileprivate func draft(
    ofRun name: Bytes, _ data: UnsafeRawPointer?, _ size: Int, _ owner: ResolvedHandle
  ) throws(Refusal) -> Draft {
    let type = try stream.locked { () throws(Refusal) in
      try stream.typeOfValue(name, of: owner, "name")
    }
    guard stream.contract(of: type).role == .request else {
      throw Refusal(.invalid, "name", "is not a command of the owner", .name(name))
    }
    var draft = try draft(type, data, size, to: .request)
    draft.origin = owner.origin
    draft.flags |= UInt32(MAINSTEM_EVENT_OUTSIDE)
    return draft
  }
}

extension Stream {
  /// Why a model refuses a run; nil also if something waits that may change that.
  fileprivate func refusal(ofRun type: UInt32, _ owner: ResolvedHandle) -> Status? {
    guard Frame.holding(self) == nil else { return nil }
    state.pointee.lock.acquire()
    let duty = claimDelivery()
    let isIdle = duty.isDeliverer && !hasDeferred && !owesShows && owner.isLive
    let show = isIdle ? owner.scope?.pointee.show : nil
    state.pointee.lock.release()
    // It stays while nobody else delivers.
    let command = show.flatMap { Model.of($0) }?.pointee.row(of: type)?.command
    let refused = command?.pointee.refusal
    fulfill(duty)
    return refused
  }

  fileprivate func ask(
    _ draft: inout Draft, _ completion: inout Request.Completion, _ owner: ResolvedHandle,
    _ given: UnsafeMutablePointer<OpaquePointer?>?, for hold: RunHold.Pointer,
    of binding: ResolvedHandle
  ) throws(Refusal) {
    let observers = try checkRequest(&draft)
    try letInSeldom(&draft, .program, .unnoted) { _ throws(Refusal) in
      guard owner.isLive, !isClosed else { throw .ended }
      guard let known = binding.liveBinding, known.pointee.owner == owner.handle else {
        throw Refusal(.stale, "binding", "has ended, or points elsewhere by now")
      }
    } then: { draft, arrival throws(Refusal) in
      let placed = try place(&draft, &arrival, observers, &completion, owner, given)
      if let known = binding.liveBinding { RunHold.join(hold, known) }
      return placed
    }
    let asked = Handle(bits: draft.reply)
    if Frame.holding(self) == nil { try acknowledge(asked) }
  }
}

extension ResolvedHandle {
  /// The binding that the handle names, if it has not ended. Under the lock.
  fileprivate var liveBinding: Binding.Pointer? {
    isLive ? liveSubscription?.pointee.userData?.assumingMemoryBound(to: Binding.self) : nil
  }
}

extension Model {
  /// The model that a show belongs to; nil: it is of another server.
  fileprivate static func of(_ show: Show.Pointer) -> Pointer? {
    guard show.pointee.isOfModel else { return nil }
    return show.pointee.userData?.assumingMemoryBound(to: Model.self)
  }
}
