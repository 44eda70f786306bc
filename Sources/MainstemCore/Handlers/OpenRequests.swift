// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The requests of one stream whose answers are not delivered yet, by type, in the order they were made: the station's
/// state at the stream's port. Under the lock.
package struct OpenRequests {
  /// Requests that an instance of a service got which has ended, and that are not cancelled yet.
  var lost: Request.Pointer?
  /// Requests whose scope has ended and that are not cancelled yet, linked like those of a scope.
  package internal(set) var ending: Request.Pointer?
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
      holds: { Stream(of: $0).hold($1.assumingMemoryBound(to: mainstem_event.self), $2) },
      unanswered: {
        Stream(of: $0).endUnanswered(
          $1.assumingMemoryBound(to: mainstem_event.self), by: $2, toInbox: $3)
      },
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
  /// Visits the requests whose answers are not delivered, in the order they were made; the visitor may settle them.
  package func eachOpenRequest(_ visit: (Request.Pointer) -> Void) {
    var all = Chain<Request>()
    _ = openRequest { request in
      all.append(request)
      return false
    }
    all.sort()
    while let request = all.takeFirst() { visit(request) }
  }

  /// The first request for which something holds, type by type.
  ///
  /// - Parameter response: The type of its answers; 0: any.
  private func openRequest(
    answeredBy response: UInt32 = 0, _ holds: (Request.Pointer) -> Bool
  ) -> Request.Pointer? {
    var type: UInt32 = 0
    while type < state.pointee.types.count {
      type &+= 1
      guard let observers = state.pointee.observers.find(type) else { continue }
      var next = observers.pointee.firstRequest?.assumingMemoryBound(to: Request.self)
      if response != 0, response != next?.pointee.response { next = nil }
      while let request = next {
        if holds(request) { return request }
        next = request.pointee.next
      }
    }
    return nil
  }

  /// The request at a position, if its answer is not delivered. Called by the deliverer of a fed stream, where nobody
  /// else makes or ends requests.
  package func openRequest(at position: UInt64) -> Request.Pointer? {
    openRequest { $0.pointee.position == position }
  }

  /// The oldest unanswered request with this response type. Called by the deliverer of a fed stream.
  package func oldestRequest(answeredBy type: UInt32) -> Request.Pointer? {
    var oldest: Request.Pointer?
    _ = openRequest(answeredBy: type) { request in
      guard !Request.isShared(request), let (slot, key) = Slot.find(request.pointee.handle),
        slot.pointee.state.load(ordering: .acquiring) == key || isSettledAhead(slot),
        request.pointee.position < oldest?.pointee.position ?? .max
      else { return false }
      oldest = request
      return false
    }
    return oldest
  }

  package func link(_ request: Request.Pointer, to scope: Scope.Pointer) {
    let observers = request.pointee.observers
    let last = observers.pointee.lastRequest?.assumingMemoryBound(to: Request.self)
    request.pointee.previous = last
    if let last {
      last.pointee.next = request
    } else {
      observers.pointee.firstRequest = UnsafeMutableRawPointer(request)
    }
    observers.pointee.lastRequest = UnsafeMutableRawPointer(request)
    let first = scope.pointee.firstRequest?.assumingMemoryBound(to: Request.self)
    first?.pointee.previousInScope = request
    request.pointee.nextInScope = first
    request.pointee.scope = scope
    scope.pointee.firstRequest = UnsafeMutableRawPointer(request)
    state.pointee.openRequests.wrappingAdd(1, ordering: .relaxed)
    observers.pointee.open.wrappingAdd(1, ordering: .relaxed)
  }

  /// Ends a request's handle and takes the request off the lists. The caller frees its memory.
  ///
  /// - Returns: What is to be called now.
  package func unlink(_ request: Request.Pointer) -> SettledCall.Pointer? {
    disarm(Request.deadline(of: request))
    let (previous, next) = (request.pointee.previous, request.pointee.next)
    let observers = request.pointee.observers
    if let previous {
      previous.pointee.next = next
    } else {
      observers.pointee.firstRequest = UnsafeMutableRawPointer(next)
    }
    if let next {
      next.pointee.previous = previous
    } else {
      observers.pointee.lastRequest = UnsafeMutableRawPointer(previous)
    }
    leaveServer(request)
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
