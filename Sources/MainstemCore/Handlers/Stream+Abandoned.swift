// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Requests that are abandoned: by who asked, or by who was to answer. Under the lock.
extension Stream {
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
    } else if requests.pointee.lost == request {
      requests.pointee.lost = next
    }
    request.pointee.server = nil
    (request.pointee.previousServed, request.pointee.nextServed) = (nil, nil)
  }

  /// Moves what an ending instance of a service got to the requests that are lost.
  private func loseServed(by server: Scope.Pointer) {
    while let request = server.pointee.firstServed?.assumingMemoryBound(to: Request.self) {
      leave(request, server)
      request.pointee.isAbandoned = true
      let first = requests.pointee.lost
      first?.pointee.previousServed = request
      request.pointee.nextServed = first
      requests.pointee.lost = request
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
    last.pointee.nextInScope = requests.pointee.ending
    requests.pointee.ending?.pointee.previousInScope = last
    requests.pointee.ending = first
  }

  /// Cancels, in the order they were made, the requests made through ended scopes, and the requests whose last asked
  /// server has ended with one. The caller holds the delivery lock or has marked the state word.
  ///
  /// - Parameter serial: 0: a source feeds their answers.
  func cancelAbandoned(at serial: UInt32) {
    var ended = Chain<Request>()
    var next = requests.pointee.ending
    requests.pointee.ending = nil
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
    state.pointee.observers.eachAbandoned(at: serial) { observers in
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
    while let request = requests.pointee.lost {
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
    if let event = Frame.scheduled(self)?.pointee.event {
      draft.cause = event.pointee.position
      draft.flags |= UInt32(MAINSTEM_EVENT_OUTSIDE)
    }
    enqueueShared(KeptEvent(draft, in: Request.room(of: request)))
  }
}
