// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import MainstemCore

/// A gate: passes requests on to the servers behind it while a session is open, and keeps or refuses them while it is
/// not.
///
/// It is a server like any other: it calls what the header offers to every program, in immediate callbacks only, so one
/// callback at a time touches it. It lives until its scope has ended and the last request that it made is answered.
struct Gate {
  typealias Pointer = UnsafeMutablePointer<Gate>

  /// Which type is passed on as which.
  struct Way {
    let request: mainstem_event_type
    let behind: mainstem_event_type
  }

  let open: mainstem_event_type
  /// 0: nothing opens a session again.
  let refresh: mainstem_event_type
  let expired: mainstem_status
  /// 0: requests wait.
  let refusal: mainstem_status
  let limit: Int
  let ways: UnsafeMutablePointer<Way>
  let wayCount: Int

  fileprivate var server: OpaquePointer?
  fileprivate var isOpen = false
  fileprivate var isRefreshing = false
  /// Whether the release hook of a refresh is still to come.
  fileprivate var hasRefreshHook = false
  fileprivate var hasEnded = false
  /// Counts sessions: an answer to a request of an earlier one says nothing about this one.
  fileprivate var session: UInt64 = 0
  fileprivate var first: Pass.Pointer?
  fileprivate var last: Pass.Pointer?
  fileprivate var count = 0

  init(
    open: mainstem_event_type, refresh: mainstem_event_type, expired: mainstem_status,
    refusal: mainstem_status, limit: Int, ways: UnsafeMutablePointer<Way>, wayCount: Int
  ) {
    self.open = open
    self.refresh = refresh
    self.expired = expired
    self.refusal = refusal
    self.limit = limit
    self.ways = ways
    self.wayCount = wayCount
  }
}

/// A request on its way through a gate.
private struct Pass {
  typealias Pointer = UnsafeMutablePointer<Pass>

  let gate: Gate.Pointer
  /// The request, kept.
  let kept: OpaquePointer?
  let behind: mainstem_event_type
  /// What was passed on, as long as it is open.
  var pending: OpaquePointer?
  var isSent = false
  /// Whether a server has refused it already because the session had expired.
  var isRepeated = false
  /// Whether the request is settled: only the answer to what was passed on is still awaited.
  var isSettled = false
  /// Whether the gate still keeps it, and how many release hooks are still to come. It is freed after all.
  var isKept = true
  var hooks = 0
  /// Answers whose hook is still to come.
  var answers = 0
  var session: UInt64 = 0
  var previous: Pointer?
  var next: Pointer?

  var request: UnsafePointer<mainstem_event>? {
    var event: UnsafePointer<mainstem_event>?
    return mainstem_retained_event(kept, &event) == 0 ? event : nil
  }
}

// MARK: - What it gets

extension Gate {
  fileprivate static var closed: Phrase { "the session is closed" }

  /// The handler of all its rows.
  static let handle: mainstem_event_fn = { userData, event in
    guard let userData, let event else { return }
    let gate = userData.assumingMemoryBound(to: Gate.self)
    gate.pointee.server = event.pointee.context
    if event.pointee.type == gate.pointee.open {
      gate.set(isOpen: mainstem_event_bool(event))
    } else {
      gate.take(event)
    }
  }

  /// Its scope has ended.
  static let end: mainstem_release_fn = { userData in
    guard let gate = userData?.assumingMemoryBound(to: Gate.self) else { return }
    gate.pointee.hasEnded = true
    // Counted as one more, so that it lives until all are visited.
    gate.pointee.count &+= 1
    gate.each { pass in if !pass.pointee.isSent { gate.forget(pass) } }
    gate.pointee.count &-= 1
    gate.freeIfDone()
  }

  fileprivate static let settled: mainstem_settled_fn = { userData in
    guard let pass = userData?.assumingMemoryBound(to: Pass.self), pass.pointee.isKept else {
      return
    }
    pass.pointee.isSettled = true
    if pass.pointee.isSent {
      mainstem_pending_cancel(pass.pointee.pending)
    } else {
      pass.pointee.gate.forget(pass)
    }
  }

  fileprivate static let unwatch: mainstem_release_fn = { userData in
    userData?.assumingMemoryBound(to: Pass.self).release()
  }

  fileprivate static let answered: mainstem_event_fn = { userData, event in
    guard let pass = userData?.assumingMemoryBound(to: Pass.self), let event else { return }
    pass.pointee.answers &+= 1
    pass.pointee.gate.note(event, for: pass)
  }

  /// What was passed on is over. Without an answer if that cannot be recorded: then nothing goes on.
  fileprivate static let over: mainstem_release_fn = { userData in
    guard let pass = userData?.assumingMemoryBound(to: Pass.self) else { return }
    if pass.pointee.answers > 0 {
      pass.pointee.answers &-= 1
    } else {
      pass.pointee.gate.forget(pass)
    }
    pass.release()
  }

  fileprivate static let progressed: mainstem_event_fn = { userData, event in
    guard let pass = userData?.assumingMemoryBound(to: Pass.self), let event else { return }
    guard let request = pass.pointee.request, !pass.pointee.isSettled else { return }
    mainstem_respond_progress(
      request, event.pointee.type, event.pointee.data, Int(event.pointee.size))
  }

  fileprivate static let refreshed: mainstem_event_fn = { userData, event in
    guard let userData, let event else { return }
    userData.assumingMemoryBound(to: Gate.self).noteRefresh(event)
  }

  fileprivate static let refreshOver: mainstem_release_fn = { userData in
    guard let gate = userData?.assumingMemoryBound(to: Gate.self) else { return }
    gate.pointee.hasRefreshHook = false
    gate.freeIfDone()
  }
}

// MARK: - What it does

extension UnsafeMutablePointer where Pointee == Gate {
  /// A request arrives.
  fileprivate func take(_ event: UnsafePointer<mainstem_event>) {
    if !pointee.isOpen, pointee.refusal != 0 {
      return refuse(event, pointee.refusal, Gate.closed)
    }
    guard pointee.count < pointee.limit else {
      return refuse(event, Status.full.rawValue, "the gate has as many requests as it may keep")
    }
    guard let way = way(of: event.pointee.type), let pass = add(event, way) else {
      return refuse(event, Status.noMemory.rawValue, "out of memory")
    }
    pass.pointee.hooks = 1
    guard mainstem_event_on_settled(event, Gate.settled, pass, Gate.unwatch) == 0 else {
      pass.pointee.hooks = 0
      return fail(pass, Status.noMemory.rawValue, "out of memory")
    }
    // It may be settled already; then it is forgotten.
    if pointee.last == pass { advance(pass) }
  }

  private func refuse(
    _ event: UnsafePointer<mainstem_event>, _ code: mainstem_status, _ message: Phrase
  ) {
    mainstem_respond_error(event, code, message.text)
  }

  /// What a type is passed on as.
  private func way(of type: mainstem_event_type) -> mainstem_event_type? {
    for index in 0..<pointee.wayCount where pointee.ways[index].request == type {
      return pointee.ways[index].behind
    }
    return nil
  }

  /// The session opens or closes.
  fileprivate func set(isOpen: Bool) {
    if isOpen, !pointee.isOpen { pointee.session &+= 1 }
    pointee.isOpen = isOpen
    sendWaiting()
  }

  private func sendWaiting() {
    each { pass in if !pass.pointee.isSent { advance(pass) } }
  }

  /// Passes on a request that waits, or refuses it; during a refresh, it waits.
  private func advance(_ pass: Pass.Pointer) {
    guard !pointee.isRefreshing else { return }
    if pointee.isOpen {
      send(pass)
    } else if pointee.refusal != 0 {
      fail(pass, pointee.refusal, Gate.closed)
    }
  }

  /// Passes a request on.
  private func send(_ pass: Pass.Pointer) {
    guard let request = pass.pointee.request else { return forget(pass) }
    var options = mainstem_request_options()
    options.size = UInt32(MemoryLayout<mainstem_request_options>.size)
    options.progress = Gate.progressed
    pass.pointee.isSent = true
    pass.pointee.session = pointee.session
    pass.pointee.hooks &+= 1
    let status = mainstem_request_with(
      pointee.server, pass.pointee.behind, request.pointee.data, Int(request.pointee.size),
      &options, Gate.answered, pass, Gate.over, &pass.pointee.pending)
    guard status != 0 else { return }
    pass.pointee.isSent = false
    pass.pointee.hooks &-= 1
    mainstem_respond_error(request, status, mainstem_last_error())
    forget(pass)
  }

  /// A server behind the gate has answered.
  fileprivate func note(_ event: UnsafePointer<mainstem_event>, for pass: Pass.Pointer) {
    pass.pointee.isSent = false
    pass.pointee.pending = nil
    let isExpired = event.pointee.status != 0 && event.pointee.status == pointee.expired
    guard let request = pass.pointee.request, !pass.pointee.isSettled, !pointee.hasEnded else {
      return forget(pass)
    }
    guard isExpired, !pass.pointee.isRepeated else {
      event.relay(to: request)
      return forget(pass)
    }
    pass.pointee.isRepeated = true
    if pass.pointee.session == pointee.session { beginRefresh() } else { advance(pass) }
  }
}

// MARK: - The refresh

extension UnsafeMutablePointer where Pointee == Gate {
  /// Asks for a session again, once for all that wait for it.
  private func beginRefresh() {
    guard !pointee.isRefreshing else { return }
    pointee.isRefreshing = true
    pointee.hasRefreshHook = true
    let status = mainstem_request_with(
      pointee.server, pointee.refresh, nil, 0, nil, Gate.refreshed, self, Gate.refreshOver, nil)
    guard status != 0 else { return }
    pointee.isRefreshing = false
    pointee.hasRefreshHook = false
    each { pass in
      guard !pass.pointee.isSent, pass.pointee.isRepeated else { return }
      fail(pass, status, nil)
    }
    sendWaiting()
  }

  /// The refresh is answered.
  fileprivate func noteRefresh(_ event: UnsafePointer<mainstem_event>) {
    pointee.isRefreshing = false
    guard !pointee.hasEnded else { return }
    if event.pointee.status == 0 {
      pointee.session &+= 1
    } else {
      each { pass in
        guard !pass.pointee.isSent, pass.pointee.isRepeated else { return }
        if let request = pass.pointee.request { event.relay(to: request) }
        forget(pass)
      }
    }
    sendWaiting()
  }

  /// - Parameter message: Nil: that of the call that failed.
  private func fail(_ pass: Pass.Pointer, _ code: mainstem_status, _ message: Phrase?) {
    if let request = pass.pointee.request {
      mainstem_respond_error(request, code, message?.text ?? mainstem_last_error())
    }
    forget(pass)
  }
}

// MARK: - The requests on their way

extension UnsafeMutablePointer where Pointee == Gate {
  /// Visits all of them, in the order of their arrival; the visited one may be forgotten.
  fileprivate func each(_ visit: (Pass.Pointer) -> Void) {
    var next = pointee.first
    while let pass = next {
      next = pass.pointee.next
      visit(pass)
    }
  }

  private func add(
    _ event: UnsafePointer<mainstem_event>, _ behind: mainstem_event_type
  ) -> Pass.Pointer? {
    guard let pass = Memory.allocate(Pass.self) else { return nil }
    var kept: OpaquePointer?
    guard mainstem_event_retain(event, &kept) == 0 else {
      Memory.free(pass)
      return nil
    }
    pass.initialize(to: Pass(gate: self, kept: kept, behind: behind, previous: pointee.last))
    if let last = pointee.last { last.pointee.next = pass } else { pointee.first = pass }
    pointee.last = pass
    pointee.count &+= 1
    return pass
  }

  fileprivate func forget(_ pass: Pass.Pointer) {
    let (previous, next) = (pass.pointee.previous, pass.pointee.next)
    if let previous { previous.pointee.next = next } else { pointee.first = next }
    if let next { next.pointee.previous = previous } else { pointee.last = previous }
    pointee.count &-= 1
    mainstem_retained_release(pass.pointee.kept)
    pass.pointee.isKept = false
    pass.pointee.hooks &+= 1
    pass.release()
    freeIfDone()
  }

  fileprivate func freeIfDone() {
    guard pointee.hasEnded, pointee.count == 0, !pointee.hasRefreshHook else { return }
    free()
  }

  /// Frees a gate without requests.
  func free() {
    Memory.free(pointee.ways)
    Memory.free(self)
  }
}

extension UnsafeMutablePointer where Pointee == Pass {
  /// One of its hooks is over.
  fileprivate func release() {
    pointee.hooks &-= 1
    if !pointee.isKept, pointee.hooks == 0 { Memory.free(self) }
  }
}
