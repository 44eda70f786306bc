// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// What askers get. For the deliverer, in the frame of the event.
extension Stream {
  /// Gives each asker a copy of the answer, in the order of asking.
  fileprivate func giveAnswers(
    to asked: AskedOnce.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    add(calls: ~0)
    locked { endJoining(asked) }
    asked.pointee.askers.each { asker in
      do throws(Refusal) {
        try tryingOpen { _ throws(Refusal) in try giveCopy(of: event, to: asker) }
      } catch {
        guard error.status != .stale else { return }
        makeWay()
        let answer = ErrorValue(error.status, "there was no memory for the answer")
        giveAnswer(to: asker.pointee.handle, answer, UInt32(MAINSTEM_EVENT_SHARED))
      }
    }
  }

  private func giveCopy(
    of event: UnsafeMutablePointer<mainstem_event>, to asker: Asker.Pointer
  ) throws(Refusal) {
    let (handle, size) = (asker.pointee.handle, Int(event.pointee.size))
    let own = size <= Request.mostOfShared ? nil : QueuedEvent.make(capacity: size)
    guard size <= Request.mostOfShared || own != nil else { throw .noMemory }
    makeWay()
    guard let request = settle(asker.pointee.slot, handle) else {
      QueuedEvent.free(own)
      throw .lacking(.openRequest)
    }
    passProgress(request)
    let payload = own.map { QueuedEvent.payload(of: $0) } ?? Request.payload(of: request)
    let queued = own ?? Request.room(of: request)
    var draft = draft(request, event.pointee.status, size: size)
    draft.flags |= UInt32(MAINSTEM_EVENT_SHARED)
    Memory.copy(size, from: event.pointee.data, to: payload, isSecret: draft.isSecret)
    QueuedEvent.noteSecret(payload, in: queued, isSecret: draft.isSecret)
    draft.data = UnsafeRawPointer(payload)
    enqueue(KeptEvent(draft, in: queued))
  }

  /// Gives each asker a copy of a step of progress, if there is room for it.
  fileprivate func giveSteps(
    to asked: AskedOnce.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    add(calls: ~0)
    asked.pointee.askers.each { asker in
      try? tryingOpen { attempt throws(Refusal) in
        guard let (slot, state) = Slot.find(asker.pointee.handle),
          slot.pointee.state.load(ordering: .acquiring) == state
        else { throw .lacking(.openRequest) }
        var draft = Draft(
          type: event.pointee.type, data: event.pointee.data, size: Int(event.pointee.size),
          origin: 0)
        draft.flags =
          contract(of: draft.type).flags
          | UInt32(MAINSTEM_EVENT_PROGRESS | MAINSTEM_EVENT_SHARED)
        draft.answers = asker.pointee.position
        draft.correlation = asker.pointee.correlation
        draft.reply = asker.pointee.handle.bits
        guard let queued = QueuedEvent.make(copying: &draft) else { throw .noMemory }
        try giveProgress(draft, queued, slot, state, attempt)
      }
    }
  }
}

/// The functions of a request that is asked for its askers.
extension Request.Completion {
  init(for asked: AskedOnce.Pointer) {
    self.init(askedOnceAnswered, UnsafeMutableRawPointer(asked))
    progress = askedOnceProgressed
    release = askedOnceEnded
  }
}

private func askedOnceAnswered(
  _ asked: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let (stream, event, asked) = askedOnceEvent(asked) else { return }
  stream.giveAnswers(to: asked, event)
}

private func askedOnceProgressed(
  _ asked: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let (stream, event, asked) = askedOnceEvent(asked) else { return }
  stream.giveSteps(to: asked, event)
}

private func askedOnceEvent(
  _ asked: UnsafeMutableRawPointer?
) -> (Stream, UnsafeMutablePointer<mainstem_event>, AskedOnce.Pointer)? {
  guard let frame = Frame.innermost, let event = frame.pointee.event,
    let asked = asked?.assumingMemoryBound(to: AskedOnce.self)
  else { return nil }
  return (frame.pointee.stream, event, asked)
}

private func askedOnceEnded(_ asked: UnsafeMutableRawPointer?) {
  guard let asked = asked?.assumingMemoryBound(to: AskedOnce.self),
    let stream = Frame.innermost?.pointee.stream
  else { return }
  stream.locked {
    stream.endJoining(asked)
    AskedOnce.free(asked)
  }
}
