// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The requests of one stream whose answers are not delivered yet, in the order they were made: the station's state
/// at the stream's port. Under the lock.
package struct OpenRequests {
  fileprivate var first: Request.Pointer?
  fileprivate var last: Request.Pointer?
  /// Requests whose scope has ended and that are not cancelled yet, linked like those of a scope.
  package fileprivate(set) var ending: Request.Pointer?
  package var activities: Activity.Pointer?
  /// The last answer to what a fetch had asked. The deliverer's.
  var answered = AnsweredInFetch()
  /// What is asked once for all who ask the same.
  var asked = HashTable<AskedOnce.Entry>()

  package init() {}

  package typealias Pointer = UnsafeMutablePointer<OpenRequests>
}

extension OpenRequests {
  /// What the stream tells this station.
  package static var functions: RequestFunctions {
    RequestFunctions(
      passed: { _, stream, event, isDropped in
        let event = event.assumingMemoryBound(to: mainstem_event.self)
        if isDropped {
          Stream(of: stream).requestOrAnswerDropped(event)
        } else {
          Stream(of: stream).requestOrAnswerDelivered(event)
        }
      },
      fed: { Stream(of: $1).takeUp($2.assumingMemoryBound(to: mainstem_event.self)) },
      settle: { Stream(of: $1).settleAhead(at: $2) },
      takenIn: { Stream(of: $1).noteTakenIn(Handle(bits: $2)) },
      ending: { Stream(of: $1).gatherRequests(of: $2.assumingMemoryBound(to: Scope.self)) },
      abandoned: { Stream(of: $1).cancelAbandoned(at: $2) },
      markOrigins: { Stream(of: $1).markOriginsOfRequests() },
      fetch: { stream, event, fetches in
        fetches.assumingMemoryBound(to: Fetches.self).pointee = Stream(of: stream).inherited(
          event.assumingMemoryBound(to: mainstem_event.self))
      })
  }
}

extension Stream {
  package var requests: OpenRequests.Pointer {
    requestState!.assumingMemoryBound(to: OpenRequests.self)
  }

  /// Marks the origins of those who asked, and returns how many there are.
  fileprivate func markOriginsOfRequests() -> Int {
    var count = 0
    eachOpenRequest { request in
      markOrigin(request.pointee.completion.origin)
      count &+= 1
    }
    return count
  }
}

/// Lists. Under the lock.
extension Stream {
  /// Visits the requests whose answers are not delivered; the visitor may settle them.
  package func eachOpenRequest(_ visit: (Request.Pointer) -> Void) {
    var next = requests.pointee.first
    while let request = next {
      next = request.pointee.next
      visit(request)
    }
  }

  /// The request at a position, if its answer is not delivered. Called by the deliverer of a fed stream, where nobody
  /// else makes or ends requests.
  package func openRequest(at position: UInt64) -> Request.Pointer? {
    var next = requests.pointee.first
    while let request = next {
      if request.pointee.position == position { return request }
      next = request.pointee.next
    }
    return nil
  }

  /// The oldest unanswered request with this response type. Called by the deliverer of a fed stream.
  package func oldestRequest(answeredBy type: UInt32) -> Request.Pointer? {
    var next = requests.pointee.first
    while let request = next {
      next = request.pointee.next
      guard request.pointee.response == type, !Request.isShared(request),
        let (slot, key) = Slot.find(request.pointee.handle),
        slot.pointee.state.load(ordering: .acquiring) == key || isSettledAhead(slot)
      else { continue }
      return request
    }
    return nil
  }

  package func link(_ request: Request.Pointer, to scope: Scope.Pointer) {
    request.pointee.previous = requests.pointee.last
    if let last = requests.pointee.last {
      last.pointee.next = request
    } else {
      requests.pointee.first = request
    }
    requests.pointee.last = request
    let first = scope.pointee.firstRequest?.assumingMemoryBound(to: Request.self)
    first?.pointee.previousInScope = request
    request.pointee.nextInScope = first
    request.pointee.scope = scope
    scope.pointee.firstRequest = UnsafeMutableRawPointer(request)
    state.pointee.openRequests.wrappingAdd(1, ordering: .relaxed)
    request.pointee.observers.pointee.open.wrappingAdd(1, ordering: .relaxed)
  }

  /// Ends a request's handle and takes the request off the lists. The caller frees its memory.
  ///
  /// - Returns: What is to be called now.
  package func unlink(_ request: Request.Pointer) -> SettledCall.Pointer? {
    disarm(Request.deadline(of: request))
    let (previous, next) = (request.pointee.previous, request.pointee.next)
    if let previous { previous.pointee.next = next } else { requests.pointee.first = next }
    if let next { next.pointee.previous = previous } else { requests.pointee.last = previous }
    let nextInScope = request.pointee.nextInScope
    nextInScope?.pointee.previousInScope = request.pointee.previousInScope
    if let previous = request.pointee.previousInScope {
      previous.pointee.nextInScope = nextInScope
    } else if let scope = request.pointee.scope {
      scope.pointee.firstRequest = UnsafeMutableRawPointer(nextInScope)
    } else if requests.pointee.ending == request {
      requests.pointee.ending = nextInScope
    }
    state.pointee.slots.end(request.pointee.slot)
    return request.pointee.settledCalls
  }

  /// Moves the requests of an ending scope to those of the other scopes that end with it.
  fileprivate func gatherRequests(of scope: Scope.Pointer) {
    if scope.pointee.service != 0 {
      state.pointee.observers.noteAbandoned(at: state.pointee.scopes.lastEnd)
    }
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
  fileprivate func cancelAbandoned(at serial: UInt32) {
    var ended = takeEnding()
    guard serial != 0 else {
      while ended.takeFirst() != nil {}
      return
    }
    guard state.pointee.observers.hasAbandoned(since: serial) else {
      while let request = ended.takeFirst() { cancel(request, "the scope that asked has ended") }
      return
    }
    while ended.takeFirst() != nil {}
    var next = requests.pointee.first
    while let request = next {
      next = request.pointee.next
      if isAbandoned(request, at: serial) || hasLostService(request) {
        cancel(request, "the last server that was asked has ended")
      } else if request.pointee.scope == nil {
        cancel(request, "the scope that asked has ended")
      }
    }
  }

  /// Whether a request was meant for servers, and the last of them has ended with a scope.
  private func isAbandoned(_ request: Request.Pointer, at serial: UInt32) -> Bool {
    request.pointee.hadServer
      && request.pointee.observers.pointee.lostHandlers(
        asked: request.pointee.position, through: request.pointee.scope, at: serial)
  }

  /// Whether the instance of a service that got a request has ended.
  private func hasLostService(_ request: Request.Pointer) -> Bool {
    request.pointee.served != 0
      && !state.pointee.scopes.isLive(originOf: request.pointee.served)
  }

  /// Takes the requests whose scope has ended off their list, in the order they were made.
  private func takeEnding() -> Chain<Request> {
    var taken = Chain<Request>()
    var next = requests.pointee.ending
    requests.pointee.ending = nil
    while let request = next {
      next = request.pointee.nextInScope
      request.pointee.previousInScope = nil
      taken.prepend(request)
    }
    taken.sort()
    return taken
  }

  private func cancel(_ request: Request.Pointer, _ sentence: StaticString) {
    guard settle(request.pointee.slot, request.pointee.handle) != nil else { return }
    var draft = draft(request, ErrorValue(.cancelled, sentence))
    if let event = Frame.scheduled(self)?.pointee.event {
      draft.cause = event.pointee.position
      draft.flags |= UInt32(MAINSTEM_EVENT_OUTSIDE)
    }
    enqueueShared(KeptEvent(draft, in: Request.room(of: request)))
  }

  /// Cancels every open request when the context closes. Called by the deliverer.
  package func cancelAllRequests() {
    locked {
      eachOpenRequest { request in
        guard settle(request.pointee.slot, request.pointee.handle) != nil else { return }
        let draft = draft(request, .contextClosed)
        enqueue(KeptEvent(draft, in: Request.room(of: request)))
      }
    }
    _ = work(after: position)
  }
}
