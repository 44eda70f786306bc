// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Asking together: what several ask at a time is asked once.
///
/// Each asker is a request that handlers do not get. When it has reached its observers, it waits for the request that is
/// asked for all who ask the same, or that request is asked now. Who waits for what follows from the order of delivery
/// alone; what depends on other threads is an attempt, which a replay repeats. For the deliverer, with no lock held.
extension Stream {
  /// An asker has reached its observers.
  @inline(never)
  func share(_ event: UnsafeMutablePointer<mainstem_event>, _ observers: TypeObservers.Pointer) {
    Frame.enter(self, event) { _ in
      do throws(Refusal) {
        try tryingOpen { attempt throws(Refusal) in try join(event, observers, attempt) }
      } catch {
        guard error.status != .stale else { return }
        makeWay()
        let answer = ErrorValue(error.status, "the request for all who ask this was refused")
        giveAnswer(to: Handle(bits: event.pointee.reply), answer, UInt32(MAINSTEM_EVENT_SHARED))
      }
    }
  }

  /// Lets an asker wait for the request that is asked for it.
  private func join(
    _ event: UnsafeMutablePointer<mainstem_event>, _ observers: TypeObservers.Pointer,
    _ attempt: Attempt
  ) throws(Refusal) {
    guard let (slot, state) = Slot.find(Handle(bits: event.pointee.reply)),
      slot.pointee.state.load(ordering: .acquiring) == state, !isClosed,
      let request = slot.pointee.object?.assumingMemoryBound(to: Request.self)
    else { throw .lacking(.openRequest) }
    guard let asker = Asker.make(event, slot) else { throw .noMemory }
    do throws(Refusal) {
      let asked = try asked(for: event, of: request, observers, attempt)
      locked {
        asker.pointee.asked = asked
        asked.pointee.askers.append(asker)
        SettledCall.append(Asker.call(of: asker), to: &request.pointee.settledCalls)
      }
    } catch {
      Memory.free(asker)
      throw error
    }
  }

  /// The request that is asked for an asker: if nobody else waits for it, it is asked now.
  private func asked(
    for event: UnsafeMutablePointer<mainstem_event>, of request: Request.Pointer,
    _ observers: TypeObservers.Pointer, _ attempt: Attempt
  ) throws(Refusal) -> AskedOnce.Pointer {
    let isOwned = observers.pointee.hasOwnHandler(of: event.pointee.origin) {
      !$0.pointee.call.wantsWritten
    }
    let origin = isOwned ? event.pointee.origin : 0
    let key = AskedOnce.Key(
      type: event.pointee.type, origin: origin,
      payload: Bytes(event.pointee.data, Int(event.pointee.size)))
    let (known, hasRoom, scope) = locked {
      let known = requests.pointee.asked.find(key)?.pointee.asked
      let scope = isOwned ? request.pointee.scope : state.pointee.scopes.root
      return (known, requests.pointee.asked.reserve(), scope?.pointee.handle)
    }
    if let known { return known }
    guard let scope else { throw .lacking(.openRequest) }
    guard hasRoom, let asked = AskedOnce.make(event, through: origin) else { throw .noMemory }
    do throws(Refusal) {
      try ask(asked, event, origin, through: scope, attempt)
    } catch {
      AskedOnce.free(asked)
      throw error
    }
    locked { requests.pointee.asked.insert(AskedOnce.Entry(asked: asked)) }
    return asked
  }

  private func ask(
    _ asked: AskedOnce.Pointer, _ event: UnsafeMutablePointer<mainstem_event>, _ origin: UInt32,
    through scope: Handle, _ attempt: Attempt
  ) throws(Refusal) {
    var completion = Request.Completion(for: asked)
    completion.origin = origin
    let resolved = try ResolvedHandle.own(scope)
    var draft = Draft(
      type: event.pointee.type, data: event.pointee.data, size: Int(event.pointee.size),
      origin: origin)
    draft.flags = contract(of: draft.type).flags
    asked.pointee.handle = try ask(
      &draft, &completion, resolved, attempt, nil, isShared: false)
  }

  /// An asker has its answer. If nobody waits any longer, the request is given up.
  ///
  /// - Parameter answer: Nil: nobody can see it.
  @inline(never)
  func leave(_ asker: Asker.Pointer, after answer: UnsafeMutablePointer<mainstem_event>?) {
    let asked = asker.pointee.asked
    let isLast = locked {
      guard let asked else { return false }
      asked.pointee.askers.remove(asker)
      guard asked.pointee.askers.isEmpty, !asked.pointee.isOver else { return false }
      endJoining(asked)
      return true
    }
    Memory.free(asker)
    guard isLast, let asked, let answer else { return }
    Frame.enter(self, answer) { _ in
      try? tryingOpen { _ throws(Refusal) in
        makeWay()
        let error = ErrorValue(.cancelled, "nobody waits for the answer any more")
        guard giveAnswer(to: asked.pointee.handle, error) else { throw .lacking(.openRequest) }
      }
    }
  }

  /// From here on, who asks the same begins anew. Under the lock.
  func endJoining(_ asked: AskedOnce.Pointer) {
    guard !asked.pointee.isOver else { return }
    asked.pointee.isOver = true
    requests.pointee.asked.remove(asked.pointee.key)
  }

  /// Answers a request in the name of the core; false: it has an answer.
  ///
  /// - Parameter flags: What the answer has besides the flags of its type.
  @discardableResult
  func giveAnswer(to handle: Handle, _ error: ErrorValue, _ flags: UInt32 = 0) -> Bool {
    guard let (slot, _) = Slot.find(handle), let request = settle(slot, handle) else {
      return false
    }
    passProgress(request)
    var draft = draft(request, error)
    draft.flags |= flags
    enqueue(KeptEvent(draft, in: Request.room(of: request)))
    return true
  }

  /// Frees what finding took, when the context is closed.
  package func freeShared() { requests.pointee.asked.free() }

  /// Makes an attempt that a replay repeats, also if it is refused because a request is no longer open.
  func tryingOpen(_ body: (Attempt) throws(Refusal) -> Void) throws(Refusal) {
    let attempt = try attempt()
    do throws(Refusal) {
      try body(attempt)
    } catch {
      if error.status == .stale {
        noteLack(.openRequest, .stale, of: attempt)
      } else {
        noteRefusal(error, of: attempt)
      }
      throw error
    }
  }
}
