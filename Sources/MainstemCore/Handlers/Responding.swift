// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Answering. Whoever settles the request's slot gives the answer; everyone else is too late.
extension Requests {
  /// The content of an answer.
  package enum Answer {
    case payload(UnsafeRawPointer?, Int)
    case error(ErrorValue)
  }

  /// Answers the request that `event` is.
  @_optimize(speed)
  package static func respond(
    _ event: UnsafePointer<mainstem_event>, _ answer: Answer
  ) throws(Refusal) {
    let (stream, slot, key) = try askingOrCounted(event)
    try stream.trying { attempt throws(Refusal) in
      let draft = try stream.requests.draft(answering: event, answer)
      if attempt.isTapped, try !stream.goesAhead() { return }
      guard let slot else { return try stream.requests.broadcast(draft, answer, attempt) }
      // The request itself has room for a short answer.
      let fits = draft.size <= Request.shortRoom
      let own = fits ? nil : QueuedEvent.make(capacity: draft.size)
      guard fits || own != nil else { throw .noMemory }
      if attempt.isTapped { stream.makeWay(answerTo: event.pointee.position) }
      do throws(Refusal) {
        try stream.requests.giveAnswer(draft, answer, to: slot, key, own)
      } catch {
        QueuedEvent.free(own)
        throw error
      }
    }
  }

  /// Puts an answer on the stream, unless the request is already answered.
  @inline(__always)
  private func giveAnswer(
    _ draft: Draft, _ answer: Answer, to slot: Slot.Pointer, _ key: UInt64,
    _ own: QueuedEvent.Pointer?
  ) throws(Refusal) {
    guard let frame = Frame.holding(stream) else {
      return try respondOutside(slot, key, draft, answer, own)
    }
    guard let request = settle(slot, Handle(bits: draft.reply)) else { throw .answered("event") }
    passProgress(request)
    if stream.state.pointee.delivery.hasShows.load(ordering: .relaxed),
      let show = stream.deliverer.pointee.show(after: frame)
    {
      return holdAnswer(request, draft, answer, own, for: show, in: frame)
    }
    stream.enqueue(Request.answer(request, draft, answer, own))
  }

  /// Keeps an answer back until the server has shown. Kept apart, so that the answer of others is not copied for it.
  @inline(never)
  private func holdAnswer(
    _ request: Request.Pointer, _ draft: Draft, _ answer: Answer, _ own: QueuedEvent.Pointer?,
    for show: Show.Pointer, in frame: UnsafeMutablePointer<Frame>
  ) {
    stream.hold(Request.answer(request, draft, answer, own), for: show, in: frame)
  }

  /// Answers from outside the stream's callbacks. In a context of one thread, other threads' answers go by its inbox; in a
  /// guarded one, all of them.
  private func respondOutside(
    _ slot: Slot.Pointer, _ key: UInt64, _ draft: Draft, _ answer: Answer,
    _ own: QueuedEvent.Pointer?
  ) throws(Refusal) {
    let waits = !stream.isAtHome
    if !waits { stream.endLeftovers() }
    try stream.letInKept(toInbox: waits) { () throws(Refusal) in
      guard !stream.isClosed else { throw .closed }
      let handle = Handle(bits: draft.reply)
      let settled =
        waits ? handOver(slot, handle, Slot.answerIsHandedOver) : settle(slot, handle)
      guard let request = settled else { throw .answered("event") }
      return Request.answer(request, draft, answer, own)
    }
  }

  /// Answers a request that was only sent, with a plain event.
  private func broadcast(
    _ draft: Draft, _ answer: Answer, _ attempt: Attempt
  ) throws(Refusal) {
    guard let own = QueuedEvent.make(capacity: draft.size) else { throw .noMemory }
    var draft = draft
    answer.write(to: QueuedEvent.payload(of: own), isSecret: draft.isSecret)
    QueuedEvent.noteSecret(QueuedEvent.payload(of: own), in: own, isSecret: draft.isSecret)
    draft.data = UnsafeRawPointer(QueuedEvent.payload(of: own))
    try stream.letIn(draft, .program, attempt, in: own, toInbox: !stream.isAtHome)
  }

  /// Like `asking`, but counts a failed attempt. When an answer from outside comes too late, a replay finds that out
  /// only by counting.
  @inline(__always)
  static func askingOrCounted(
    _ event: UnsafePointer<mainstem_event>
  ) throws(Refusal) -> (Stream, Slot.Pointer?, UInt64) {
    if Frame.mayBeShow { try demandNoShow(event) }
    do throws(Refusal) {
      return try asking(event)
    } catch {
      Stream.countAttempt()
      throw error
    }
  }

  @inline(never)
  private static func demandNoShow(_ event: UnsafePointer<mainstem_event>) throws(Refusal) {
    guard let stream = try? Stream.of(event), !stream.isClosed else { return }
    try stream.demandNoShow()
  }

  /// Answers as the library itself does, for what a callback has left to it. If the context is closing, a replay finds it
  /// closing there, too.
  package static func answer(_ event: UnsafePointer<mainstem_event>, _ answer: Answer) {
    do throws(Refusal) {
      try respond(event, answer)
    } catch {
      if error.status == .stale { Stream.noteClosing() }
    }
  }

  /// The stream of a request to be answered, and its slot if it is tracked and unanswered; nil if it was only sent.
  @_optimize(speed)
  package static func asking(
    _ event: UnsafePointer<mainstem_event>
  ) throws(Refusal) -> (Stream, Slot.Pointer?, UInt64) {
    guard event.pointee.answers == 0, event.pointee.reply != EndMark.reply else {
      if let stream = try? Stream.of(event), stream.isClosed { throw .closed }
      if isOfParent(event) { throw .forked }
      throw .noRequest("event")
    }
    if event.pointee.reply == 0 {
      let stream = try Stream.of(event)
      try stream.demandOpen()
      return (stream, nil, 0)
    }
    guard let (slot, key) = Slot.find(Handle(bits: event.pointee.reply)),
      slot.pointee.state.load(ordering: .acquiring) == key,
      let stream = Stream(address: slot.pointee.stream)
    else {
      if isOfParent(event) { throw .forked }
      if event.pointee.reply == DrawnMark.reply, let stream = try? Stream.of(event),
        stream.isIn(.fedAll)
      {
        return (stream, nil, 0)
      }
      throw .answered("event")
    }
    // A closing context answers every open request. A replay cannot know whether it already has.
    guard !stream.isClosed, !stream.isFed || stream.requests.isOpenWhileFed(slot, key) else {
      throw .answered("event")
    }
    return (stream, slot, key)
  }

  @inline(never)
  private func isOpenWhileFed(_ slot: Slot.Pointer, _ key: UInt64) -> Bool {
    stream.settleAsRecorded()
    return (try? stream.demandOpen()) != nil && slot.pointee.state.load(ordering: .acquiring) == key
  }

  /// Whether this is the child of a fork, and the parent's callback got or retained the event.
  @inline(never)
  private static func isOfParent(_ event: UnsafePointer<mainstem_event>) -> Bool {
    if let frame = Frame.of(event) { return frame.pointee.stream.isForked }
    return Slot.isOfParent(Handle(bits: event.pointee.reply))
      || Slot.isOfParent(Handle(bits: event.pointee.home))
  }

  /// A checked draft of an answer, without its payload, which the caller still holds.
  @_optimize(speed)
  private func draft(
    answering event: UnsafePointer<mainstem_event>, _ answer: Answer
  ) throws(Refusal) -> Draft {
    guard let observers = stream.state.pointee.observers.find(event.pointee.type) else {
      throw .noRequest("event")
    }
    let response = try response(to: event.pointee.type, observers, "event")
    let origin = try stream.demand(.respond, of: response, through: event)
    var draft = Draft(answering: event, type: response, origin: origin)
    let contract = stream.contract(of: response)
    draft.flags = contract.flags
    switch answer {
    case .payload(let data, let size):
      try stream.demandForm(contract, response, data, size)
      draft.size = size
    case .error(let error):
      try stream.demandRecording()
      guard error.packedSize <= UInt32.max else {
        throw Refusal(.tooBig, "", "the error is longer than 4,294,967,295 bytes")
      }
      draft.size = error.packedSize
      draft.status = error.code
    }
    return draft
  }

  /// Drafts the core's answer in the room reserved for it.
  package func draft(_ request: Request.Pointer, _ error: ErrorValue) -> Draft {
    error.pack(into: Request.payload(of: request))
    return draft(request, error.code, size: error.packedSize)
  }

  /// Drafts the core's answer whose payload is already written.
  package func draft(_ request: Request.Pointer, _ status: Int32, size: Int) -> Draft {
    var draft = Draft(
      type: request.pointee.response, data: UnsafeRawPointer(Request.payload(of: request)),
      size: size, origin: 0)
    draft.flags = stream.contract(of: request.pointee.response).flags
    draft.status = status
    draft.answers = request.pointee.position
    draft.correlation = request.pointee.correlation
    draft.reply = request.pointee.handle.bits
    return draft
  }
}

extension Draft {
  /// Begins a draft of an answer, or of progress, to a request.
  package init(answering event: UnsafePointer<mainstem_event>, type: UInt32, origin: UInt32) {
    self.init(type: type, data: nil, size: 0, origin: origin)
    answers = event.pointee.position
    correlation = event.pointee.correlation
    reply = event.pointee.reply
  }
}

extension Request {
  /// Writes the payload of an answer into memory of its own or into the request's room.
  fileprivate static func answer(
    _ request: Pointer, _ draft: Draft, _ answer: Requests.Answer, _ own: QueuedEvent.Pointer?
  ) -> KeptEvent {
    let payload = own.map { QueuedEvent.payload(of: $0) } ?? payload(of: request)
    answer.write(to: payload, isSecret: draft.isSecret)
    let queued = own ?? room(of: request)
    QueuedEvent.noteSecret(payload, in: queued, isSecret: draft.isSecret)
    var draft = draft
    draft.data = UnsafeRawPointer(payload)
    return KeptEvent(draft, in: queued)
  }
}

extension Requests.Answer {
  /// Writes the answer's payload; `memory` has room for the draft's size.
  fileprivate func write(to memory: UnsafeMutableRawPointer, isSecret: Bool) {
    switch self {
    case .payload(let data, let size):
      if let data, size > 0 { Memory.copy(size, from: data, to: memory, isSecret: isSecret) }
    case .error(let error): error.pack(into: memory, isSecret: isSecret)
    }
  }
}

extension Refusal {
  /// - Parameter name: Of its event type, if that is known.
  package static func noRequest(_ argument: Phrase, _ name: Bytes = Bytes("")) -> Refusal {
    Refusal(.invalid, argument, "is not a request: use mainstem_send", .name(name))
  }

  package static func answered(_ argument: Phrase) -> Refusal {
    Refusal(.stale, argument, "is already answered: a request gets one answer")
  }
}

/// Progress: events that tell how far a request is, all before its answer.
extension Requests {
  /// Reports how far the request that `event` is has come.
  package static func respondProgress(
    _ event: UnsafePointer<mainstem_event>, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    let (stream, slot, key) = try askingOrCounted(event)
    // Of a request that was only sent, nothing is known but the event.
    guard stream.contract(of: event.pointee.type).role == .request else {
      throw .noRequest("event")
    }
    try stream.trying { attempt throws(Refusal) in
      try stream.requests.respondProgress(to: event, type, data, size, slot, key, attempt)
    }
  }

  private func respondProgress(
    to event: UnsafePointer<mainstem_event>, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int,
    _ slot: Slot.Pointer?, _ key: UInt64, _ attempt: Attempt
  ) throws(Refusal) {
    let contract = stream.contract(of: type)
    guard contract.bits != 0 else { throw .noType(type) }
    guard contract.role == .notice else {
      throw Refusal(.invalid, "type", "is not a notice: a response would be the final answer")
    }
    let origin = try stream.demand(.send, of: type, through: event)
    try stream.demandForm(contract, type, data, size)
    guard try stream.goesAhead() else { return }
    var draft = Draft(answering: event, type: type, origin: origin)
    draft.data = data
    draft.size = size
    draft.flags = UInt32(MAINSTEM_EVENT_PROGRESS) | contract.flags
    guard let queued = QueuedEvent.make(copying: &draft) else { throw .noMemory }
    guard let slot else {
      return try stream.letIn(draft, .program, attempt, in: queued, toInbox: !stream.isAtHome)
    }
    try giveProgress(draft, queued, slot, key, attempt)
  }

  /// Puts a step on the stream if the request has no answer yet.
  ///
  /// The deliverer settles without the lock. So a step first marks the slot and then checks whether the request is
  /// settled; settling checks in the opposite order (`passProgress`). One of the two sees the other.
  @inline(never)
  func giveProgress(
    _ draft: Draft, _ queued: QueuedEvent.Pointer, _ slot: Slot.Pointer, _ key: UInt64,
    _ attempt: Attempt
  ) throws(Refusal) {
    var draft = draft
    try stream.letInSeldom(&draft, .progress, attempt, in: queued, toInbox: !stream.isAtHome) {
      now throws(Refusal) in
      // Under the lock, nobody reuses the slot.
      guard !stream.isClosed else { throw .closed }
      guard slot.pointee.state.load(ordering: .acquiring) == key else { throw .answered("event") }
      now.hasAllSteps = hasAllSteps(slot)
    } then: { draft, arrival throws(Refusal) in
      slot.pointee.origin.store(Slot.stepIsGiven, ordering: .sequentiallyConsistent)
      defer { slot.pointee.origin.store(0, ordering: .relaxed) }
      guard slot.pointee.state.load(ordering: .sequentiallyConsistent) == key else {
        throw .answered("event")
      }
      countStep(slot)
      return try arrival.takePosition(for: &draft)
    }
  }

  /// Whether the request's scheduler already has as many steps as it may have (law 9). Under the lock.
  private func hasAllSteps(_ slot: Slot.Pointer) -> Bool {
    guard let request = slot.pointee.object?.assumingMemoryBound(to: Request.self),
      request.pointee.queuesSteps
    else { return false }
    return request.pointee.steps.load(ordering: .relaxed) >= Request.mostSteps && !stream.isFed
  }

  private func countStep(_ slot: Slot.Pointer) {
    guard let request = slot.pointee.object?.assumingMemoryBound(to: Request.self),
      request.pointee.queuesSteps
    else { return }
    request.pointee.steps.wrappingAdd(1, ordering: .relaxed)
  }
}
