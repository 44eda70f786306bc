// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// A request that is asked once, for all who ask the same: its askers. It is found until it has its answer, or nobody
/// waits for that any longer. Under the lock; for the deliverer.
struct AskedOnce: ~Copyable {
  /// A copy of the first asker: what all of them ask.
  private let question: QueuedEvent.Pointer
  /// The origin that it is asked through: see `Key`.
  private let origin: UInt32
  /// In the order of asking.
  var askers = List<Asker, Asker.OfOne>()
  /// The handle of the request.
  var handle = Handle.none
  /// New askers do not join any more.
  var isOver = false

  typealias Pointer = UnsafeMutablePointer<AskedOnce>

  /// What those ask who ask together.
  struct Key: Equatable {
    var type: UInt32 = 0
    /// Their origin, if a server handles what is sent through it; otherwise 0.
    var origin: UInt32 = 0
    var payload = Bytes("")
  }

  struct Entry: HashTableEntry {
    var asked: Pointer?

    var isFree: Bool { asked == nil }
    var key: Key { asked?.pointee.key ?? Key() }

    static func hash(_ key: Key) -> UInt64 {
      NameTable.hash(key.payload) ^ Hash.counted(key.type) ^ Hash.counted(key.origin &+ 1)
    }
  }

  var key: Key {
    let event = question.pointee.event
    return Key(type: event.type, origin: origin, payload: Bytes(event.data, Int(event.size)))
  }
}

extension AskedOnce {
  /// One without askers; nil without memory.
  static func make(
    _ event: UnsafeMutablePointer<mainstem_event>, through origin: UInt32
  ) -> Pointer? {
    guard let asked = Memory.allocate(AskedOnce.self) else { return nil }
    guard let question = QueuedEvent.make(copying: UnsafePointer(event)) else {
      Memory.free(asked)
      return nil
    }
    asked.initialize(to: AskedOnce(question: question, origin: origin))
    return asked
  }

  /// Frees one. Askers that are left wait for answers that they have.
  static func free(_ asked: Pointer) {
    asked.pointee.askers.each { $0.pointee.asked = nil }
    QueuedEvent.free(asked.pointee.question)
    Memory.free(asked)
  }
}

/// A request that waits for the answer to another one. Its call is kept with the request, so it hears when that is
/// settled.
struct Asker {
  /// First, so that a pointer to it is a pointer to the asker.
  var call: SettledCall
  /// What it waits for; nil: no longer.
  var asked: AskedOnce.Pointer?
  let slot: Slot.Pointer
  let handle: Handle
  let position: UInt64
  let correlation: UInt64
  private var links = Links<Asker>()

  typealias Pointer = UnsafeMutablePointer<Asker>
}

extension Asker: Listed {
  enum OfOne: ListName { static var number: Int { 0 } }

  static func links(of node: Pointer, in list: Int) -> Links<Asker> { node.pointee.links }

  static func set(_ links: Links<Asker>, of node: Pointer, in list: Int) {
    node.pointee.links = links
  }
}

extension Asker {
  /// The asker that an event is; nil without memory.
  static func make(
    _ event: UnsafeMutablePointer<mainstem_event>, _ slot: Slot.Pointer
  ) -> Pointer? {
    guard let asker = Memory.allocate(Asker.self) else { return nil }
    asker.initialize(
      to: Asker(
        call: .ofAsker(slot), slot: slot, handle: Handle(bits: event.pointee.reply),
        position: event.pointee.position, correlation: event.pointee.correlation))
    return asker
  }

  /// The asker whose call it is.
  static func of(_ call: SettledCall.Pointer) -> Pointer {
    UnsafeMutableRawPointer(call).assumingMemoryBound(to: Asker.self)
  }

  /// Its call, which goes to its request.
  static func call(of asker: Pointer) -> SettledCall.Pointer {
    UnsafeMutableRawPointer(asker).assumingMemoryBound(to: SettledCall.self)
  }
}

/// Asking together: what several ask at a time is asked once.
///
/// Each asker is a request that handlers do not get. When it has reached its observers, it waits for the request that is
/// asked for all who ask the same, or that request is asked now. Who waits for what follows from the order of delivery
/// alone; what depends on other threads is an attempt, which a replay repeats. For the deliverer, with no lock held.
extension Requests {
  /// An asker has reached its observers.
  @inline(never)
  func share(_ event: UnsafeMutablePointer<mainstem_event>, _ observers: TypeObservers.Pointer) {
    Frame.enter(stream, event) { _ in
      do throws(Refusal) {
        try tryingOpen { attempt throws(Refusal) in try join(event, observers, attempt) }
      } catch {
        guard error.status != .stale else { return }
        stream.makeWay()
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
      slot.pointee.state.load(ordering: .acquiring) == state, !stream.isClosed,
      let request = slot.pointee.object?.assumingMemoryBound(to: Request.self)
    else { throw .lacking(.openRequest) }
    guard let asker = Asker.make(event, slot) else { throw .noMemory }
    do throws(Refusal) {
      let asked = try asked(for: event, of: request, observers, attempt)
      stream.locked {
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
    let (known, hasRoom, scope) = stream.locked {
      let known = open.pointee.asked.find(key)?.pointee.asked
      let scope = isOwned ? request.pointee.scope : stream.state.pointee.scopes.root
      return (known, open.pointee.asked.reserve(), scope?.pointee.handle)
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
    stream.locked { open.pointee.asked.insert(AskedOnce.Entry(asked: asked)) }
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
    draft.flags = stream.contract(of: draft.type).flags
    asked.pointee.handle = try ask(
      &draft, &completion, resolved, attempt, nil, isShared: false)
  }

  /// An asker has its answer. If nobody waits any longer, the request is given up.
  ///
  /// - Parameter answer: Nil: nobody can see it.
  @inline(never)
  func leave(_ asker: Asker.Pointer, after answer: UnsafeMutablePointer<mainstem_event>?) {
    let asked = asker.pointee.asked
    let isLast = stream.locked {
      guard let asked else { return false }
      asked.pointee.askers.remove(asker)
      guard asked.pointee.askers.isEmpty, !asked.pointee.isOver else { return false }
      endJoining(asked)
      return true
    }
    Memory.free(asker)
    guard isLast, let asked, let answer else { return }
    Frame.enter(stream, answer) { _ in
      try? tryingOpen { _ throws(Refusal) in
        stream.makeWay()
        let error = ErrorValue(.cancelled, "nobody waits for the answer any more")
        guard giveAnswer(to: asked.pointee.handle, error) else { throw .lacking(.openRequest) }
      }
    }
  }

  /// From here on, who asks the same begins anew. Under the lock.
  func endJoining(_ asked: AskedOnce.Pointer) {
    guard !asked.pointee.isOver else { return }
    asked.pointee.isOver = true
    open.pointee.asked.remove(asked.pointee.key)
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
    stream.enqueue(KeptEvent(draft, in: Request.room(of: request)))
    return true
  }

  /// Frees what finding took, when the context is closed.
  package func freeShared() { open.pointee.asked.free() }

  /// Makes an attempt that a replay repeats, also if it is refused because a request is no longer open.
  func tryingOpen(_ body: (Attempt) throws(Refusal) -> Void) throws(Refusal) {
    let attempt = try stream.attempt()
    do throws(Refusal) {
      try body(attempt)
    } catch {
      if error.status == .stale {
        stream.noteLack(.openRequest, .stale, of: attempt)
      } else {
        stream.noteRefusal(error, of: attempt)
      }
      throw error
    }
  }
}

/// What askers get. For the deliverer, in the frame of the event.
extension Requests {
  /// Gives each asker a copy of the answer, in the order of asking.
  fileprivate func giveAnswers(
    to asked: AskedOnce.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    stream.state.pointee.delivery.add(calls: ~0)
    stream.locked { endJoining(asked) }
    asked.pointee.askers.each { asker in
      do throws(Refusal) {
        try tryingOpen { _ throws(Refusal) in try giveCopy(of: event, to: asker) }
      } catch {
        guard error.status != .stale else { return }
        stream.makeWay()
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
    stream.makeWay()
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
    stream.enqueue(KeptEvent(draft, in: queued))
  }

  /// Gives each asker a copy of a step of progress, if there is room for it.
  fileprivate func giveSteps(
    to asked: AskedOnce.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    stream.state.pointee.delivery.add(calls: ~0)
    asked.pointee.askers.each { asker in
      try? tryingOpen { attempt throws(Refusal) in
        guard let (slot, state) = Slot.find(asker.pointee.handle),
          slot.pointee.state.load(ordering: .acquiring) == state
        else { throw .lacking(.openRequest) }
        var draft = Draft(
          type: event.pointee.type, data: event.pointee.data, size: Int(event.pointee.size),
          origin: 0)
        draft.flags =
          stream.contract(of: draft.type).flags
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
  stream.requests.giveAnswers(to: asked, event)
}

private func askedOnceProgressed(
  _ asked: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let (stream, event, asked) = askedOnceEvent(asked) else { return }
  stream.requests.giveSteps(to: asked, event)
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
    stream.requests.endJoining(asked)
    AskedOnce.free(asked)
  }
}
