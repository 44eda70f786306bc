// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Requests that nobody can answer any longer: handlers got it, none has answered, and nobody has kept it.
///
/// A request counts who can answer it: its delivery, its copies in the queues of handlers, those that are retained. When
/// the count is 0, the core answers INCOMPLETE, and reports it as a failure. Both are inputs: a session of an older
/// library has none, and a replay makes none.
///
/// Where all that were asked have ended, or the scope that asked, the request is cancelled instead, in the same step.
extension Requests {
  /// More can answer a request, or fewer: see `RequestFunctions.holds`. Under the lock.
  func hold(_ event: UnsafePointer<mainstem_event>, _ change: Int32) -> Bool {
    guard let (slot, key) = Slot.find(Handle(bits: event.pointee.reply)),
      slot.pointee.stream == stream.address, let request = request(in: slot, key)
    else { return false }
    guard change != 0 else {
      request.pointee.hasFailed = true
      return false
    }
    // A plain load and store: the deliverer may read the answer, which is in the same memory.
    let holders = request.pointee.holders &+ UInt32(bitPattern: change)
    request.pointee.holders = holders
    return holders == 0 && slot.pointee.state.load(ordering: .acquiring) == key
  }

  /// Keeps a request open until it is answered: the library can do that, too. Under the lock.
  package func keepOpen(_ handle: Handle) {
    guard let (slot, key) = Slot.find(handle), let request = request(in: slot, key) else { return }
    request.pointee.holders = request.pointee.holders &+ 1
  }

  /// A request that a server handles has reached its observers. For the deliverer; no lock held.
  @inline(never)
  func endHolding(
    by observers: TypeObservers.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    guard !Draft.isAsker(event.pointee.flags) else { return }
    var origin: UInt32 = 0
    let isLast = stream.locked { () -> Bool in
      guard hold(event, -1) else { return false }
      origin = observers.pointee.originOfHandler(
        asked: event.pointee.origin, at: event.pointee.position)
      return true
    }
    guard isLast else { return }
    Frame.enter(stream, event) { _ in endUnanswered(event, by: origin, toInbox: false) }
  }

  /// Nobody can answer a request any longer: see `RequestFunctions.unanswered`. No lock held.
  @inline(never)
  func endUnanswered(
    _ event: UnsafePointer<mainstem_event>, by origin: UInt32, toInbox waits: Bool
  ) {
    guard !stream.isFed else { return }
    let type = event.pointee.type
    var count: UInt32 = 0
    var how = Unanswered.returned
    if !waits, Frame.holding(stream) == nil { stream.endLeftovers() }
    stream.letInKept(toInbox: waits) { () -> KeptEvent? in
      guard !stream.isClosed, let (slot, key) = Slot.find(Handle(bits: event.pointee.reply)),
        let request = request(in: slot, key), request.pointee.holders == 0, !isLost(request)
      else { return nil }
      how =
        request.pointee.hasFailed ? .failed : event.pointee.home != 0 ? .released : .returned
      let handle = request.pointee.handle
      let isSettled =
        waits
        ? handOver(slot, handle, Slot.answerIsHandedOver) != nil : settle(slot, handle) != nil
      guard isSettled else { return nil }
      // That it failed was reported.
      if how != .failed {
        request.pointee.observers.pointee.unanswered &+= 1
        count = request.pointee.observers.pointee.unanswered
      }
      var draft = draft(
        request, Status.incomplete.rawValue, size: write(how, of: request, by: origin))
      draft.flags |= UInt32(MAINSTEM_EVENT_OUTSIDE)
      return KeptEvent(draft, in: Request.room(of: request))
    }
    guard count != 0, stream.isTold(UInt64(count)) else { return }
    stream.reportAsInput(
      FailureReport(
        code: Status.incomplete.rawValue, message: how.report, count: UInt64(count),
        origin: origin, type: type),
      toInbox: waits)
  }

  /// Whether a request is about to be cancelled: with the scope that asked, or the last server that was asked. Under the
  /// lock.
  private func isLost(_ request: Request.Pointer) -> Bool {
    let (position, observers) = (request.pointee.position, request.pointee.observers)
    return request.pointee.scope == nil || request.pointee.isAbandoned
      || position <= observers.pointee.lostUpTo
        && !observers.pointee.hasAskedOwn(request.pointee.scope, at: position)
  }

  /// Writes the error into a request's room, as `ErrorValue` packs it, and returns its size. Under the lock.
  private func write(
    _ how: Unanswered, of request: Request.Pointer, by origin: UInt32
  ) -> Int {
    var writer = MessageWriter(
      Request.payload(of: request), capacity: Request.capacity(of: request) &- 3)
    let (of, by, end) = (Bytes(" of "), Bytes(" in "), how.message)
    let type = stream.state.pointee.types[request.pointee.type]?.name.bytes ?? Bytes("")
    let server = stream.state.pointee.scopes.describe(origin)?.name ?? Bytes("")
    writer.add(Bytes("the handler"))
    var room = end.count &+ of.count &+ type.count
    if writer.hasRoom(for: room) {
      writer.add(of)
      writer.add(type)
      room = end.count &+ by.count &+ server.count
      if server.count > 0, writer.hasRoom(for: room) {
        writer.add(by)
        writer.add(server)
      }
    }
    writer.add(end)
    return writer.end()
  }
}

/// Why nobody can answer a request.
private enum Unanswered {
  case returned
  case released
  case failed

  /// What its handler did.
  var message: Bytes {
    switch self {
    case .returned:
      Bytes(" returned without an answer: answer it, or retain it to answer later")
    case .released: Bytes(" released the request without an answer: answer it first")
    case .failed: Bytes(" failed without an answer")
    }
  }

  /// The message of the report.
  var report: Bytes {
    self == .released
      ? Bytes("the request was released without an answer: answer it first")
      : Bytes(
        "the handler returned without an answer: answer the request, or retain it to answer later")
  }
}

extension TypeObservers {
  /// The origin of the first server that got what was sent through an origin, at a position. Under the lock.
  fileprivate func originOfHandler(asked origin: UInt32, at position: UInt64) -> UInt32 {
    var first: UInt32 = 0
    eachHandler(at: position) { handler in
      let own = handler.pointee.scope.pointee.origin
      guard first == 0, !Subscription.isCancelled(handler),
        handler.pointee.call.isForOthers || own == origin
      else { return }
      first = own
    }
    // A server's own handlers are not among them, and come after them.
    return first != 0 ? first : origin
  }
}

/// The error for a request that no server handles: it names the servers there are.
extension Requests {
  /// Writes the error into a request's room, as `ErrorValue` packs it, and returns its size. Under the lock.
  func writeUnhandled(_ request: Request.Pointer) -> Int {
    var writer = MessageWriter(
      Request.payload(of: request), capacity: Request.capacity(of: request) &- 3)
    writer.add(Bytes("no server handles "))
    writer.add(stream.state.pointee.types[request.pointee.type]?.name.bytes ?? Bytes(""))
    addServers(to: &writer)
    return writer.end()
  }

  private func addServers(to writer: inout MessageWriter) {
    let more = Bytes(", …")
    var isFirst = true
    stream.state.pointee.scopes.eachServer { name, isLast in
      if isFirst { writer.add(Bytes("; the servers are ")) }
      guard writer.hasRoom(for: name.count &+ 2 &+ (isLast ? 0 : more.count)) else {
        writer.add(isFirst ? Bytes("…") : more)
        isFirst = false
        return false
      }
      if !isFirst { writer.add(Bytes(", ")) }
      writer.add(name)
      isFirst = false
      return true
    }
    if isFirst { writer.add(Bytes(": there is none in this context")) }
  }
}

/// Writes a message into room of a known size. A part that does not fit is left out whole.
struct MessageWriter {
  private let memory: UnsafeMutableRawPointer
  private let capacity: Int
  private var length = 0

  init(_ memory: UnsafeMutableRawPointer, capacity: Int) {
    self.memory = memory
    self.capacity = capacity
  }

  func hasRoom(for count: Int) -> Bool { count <= capacity &- length }

  mutating func add(_ bytes: Bytes) {
    guard hasRoom(for: bytes.count) else { return }
    memory.advanced(by: length).copyMemory(from: bytes.start, byteCount: bytes.count)
    length &+= bytes.count
  }

  /// Ends the message, adds an empty text and subject, and returns the size of the whole.
  func end() -> Int {
    memory.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
    memory.storeBytes(of: 0, toByteOffset: length &+ 1, as: UInt8.self)
    memory.storeBytes(of: 0, toByteOffset: length &+ 2, as: UInt8.self)
    return length &+ 3
  }
}

/// Requests that are abandoned: by who asked, or by who was to answer. Under the lock.
extension Requests {
  /// Notes that an instance of a service gets a request.
  func note(_ request: Request.Pointer, servedBy server: Scope.Pointer) {
    guard request.pointee.server != server else { return }
    leaveServer(request)
    let first = server.pointee.firstServed?.assumingMemoryBound(to: Request.self)
    first?.pointee.previousServed = request
    request.pointee.nextServed = first
    request.pointee.server = server
    server.pointee.firstServed = UnsafeMutableRawPointer(request)
  }

  /// Takes a request off the list of what an instance of a service got, if it is on one.
  @inline(__always)
  func leaveServer(_ request: Request.Pointer) {
    if request.pointee.server != nil || request.pointee.isAbandoned {
      leave(request, request.pointee.server)
    }
  }

  @inline(never)
  private func leave(_ request: Request.Pointer, _ server: Scope.Pointer?) {
    let (previous, next) = (request.pointee.previousServed, request.pointee.nextServed)
    next?.pointee.previousServed = previous
    if let previous {
      previous.pointee.nextServed = next
    } else if let server {
      server.pointee.firstServed = UnsafeMutableRawPointer(next)
    } else if open.pointee.lost == request {
      open.pointee.lost = next
    }
    request.pointee.server = nil
    (request.pointee.previousServed, request.pointee.nextServed) = (nil, nil)
  }

  /// Moves what an ending instance of a service got to the requests that are lost.
  private func loseServed(by server: Scope.Pointer) {
    while let request = server.pointee.firstServed?.assumingMemoryBound(to: Request.self) {
      leave(request, server)
      request.pointee.isAbandoned = true
      let first = open.pointee.lost
      first?.pointee.previousServed = request
      request.pointee.nextServed = first
      open.pointee.lost = request
    }
  }

  /// Moves the requests of an ending scope to those of the other scopes that end with it.
  func gatherRequests(of scope: Scope.Pointer) {
    loseServed(by: scope)
    guard let first = scope.pointee.firstRequest?.assumingMemoryBound(to: Request.self) else {
      return
    }
    scope.pointee.firstRequest = nil
    var last = first
    last.pointee.scope = nil
    while let next = last.pointee.nextInScope {
      last = next
      last.pointee.scope = nil
    }
    last.pointee.nextInScope = open.pointee.ending
    open.pointee.ending?.pointee.previousInScope = last
    open.pointee.ending = first
  }

  /// Cancels, in the order they were made, the requests made through ended scopes, and the requests whose last asked
  /// server has ended with one. The caller holds the delivery lock or has marked the state word.
  ///
  /// - Parameter serial: 0: a source feeds their answers.
  func cancelAbandoned(at serial: UInt32) {
    var ended = Chain<Request>()
    var next = open.pointee.ending
    open.pointee.ending = nil
    while let request = next {
      next = request.pointee.nextInScope
      (request.pointee.previousInScope, request.pointee.nextInScope) = (nil, nil)
      gather(request, in: &ended)
    }
    if serial != 0 { gatherAbandoned(at: serial, in: &ended) }
    ended.sort()
    while let request = ended.takeFirst() {
      request.pointee.isGathered = false
      guard serial != 0 else { continue }
      cancel(
        request,
        request.pointee.isAbandoned
          ? "the last server that was asked has ended" : "the scope that asked has ended")
    }
  }

  /// Gathers the requests that were meant for servers of which the last has ended with a scope, and those that an instance
  /// of a service got which has ended.
  private func gatherAbandoned(at serial: UInt32, in ended: inout Chain<Request>) {
    stream.state.pointee.observers.eachAbandoned(at: serial) { observers in
      let last = observers.pointee.lostUpTo
      var next = observers.pointee.firstRequest?.assumingMemoryBound(to: Request.self)
      while let request = next, request.pointee.position <= last {
        next = request.pointee.next
        guard request.pointee.hadServer,
          !observers.pointee.hasAskedOwn(request.pointee.scope, at: request.pointee.position)
        else { continue }
        request.pointee.isAbandoned = true
        gather(request, in: &ended)
      }
    }
    while let request = open.pointee.lost {
      leave(request, nil)
      gather(request, in: &ended)
    }
  }

  private func gather(_ request: Request.Pointer, in chain: inout Chain<Request>) {
    guard !request.pointee.isGathered else { return }
    request.pointee.isGathered = true
    chain.append(request)
  }

  private func cancel(_ request: Request.Pointer, _ message: StaticString) {
    guard settle(request.pointee.slot, request.pointee.handle) != nil else { return }
    var draft = draft(request, ErrorValue(.cancelled, message))
    if let event = Frame.scheduled(stream)?.pointee.event {
      draft.cause = event.pointee.position
      draft.flags |= UInt32(MAINSTEM_EVENT_OUTSIDE)
    }
    stream.enqueueShared(KeptEvent(draft, in: Request.room(of: request)))
  }
}
