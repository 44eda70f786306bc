// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// Servers: a scope with a table of handlers.
extension Requests {
  /// Adds a server with all its handlers, or nothing.
  ///
  /// - Parameters:
  ///   - name: Nil: the scope itself becomes the server.
  ///   - count: The number of handlers.
  ///   - handler: Returns the handler at an index.
  ///   - place: Where the handlers are called.
  ///   - given: Receives the server's handle before a handler can be called.
  @inline(never)
  package static func addServer(
    _ handle: Handle, _ name: Bytes?, count: Int,
    _ handler: (Int) -> HandlerRow, at place: HandlerPlace = .immediate,
    showing show: Show.Function? = nil,
    _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
    _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.changing(handle)
    let stream = resolved.stream
    if resolved.isLimited { try resolved.demandHandling(count, handler) }
    let attempt = try stream.attempt()
    let asking = stream.readPoint()
    var duty = Duty.nothing
    var shows: Show.Pointer?
    stream.state.pointee.lock.acquire()
    let last = stream.position
    do throws(Refusal) {
      guard resolved.isLive, !stream.isClosed, let parent = resolved.scope else { throw .ended }
      shows = try stream.requests.makeServer(
        below: parent, name, count, handler, at: place, showing: show, userData, release, given,
        attempt, &duty)
    } catch {
      stream.state.pointee.lock.release()
      stream.fulfill(duty)
      asking?.note(last)
      stream.noteRefusal(error, of: attempt)
      throw error
    }
    if let shows { stream.oweFirst(shows) }
    stream.state.pointee.lock.release()
    stream.fulfill(duty)
    asking?.note(last)
  }

  /// Makes a server's scope, and lets its handlers join. Under the lock.
  ///
  /// - Returns: Its show function.
  /// - Parameter duty: What is left to do after unlocking, also if it fails.
  private func makeServer(
    below parent: Scope.Pointer, _ name: Bytes?, _ count: Int,
    _ handler: (Int) -> HandlerRow, at place: HandlerPlace, showing show: Show.Function?,
    _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
    _ given: UnsafeMutablePointer<OpaquePointer?>?, _ attempt: Attempt, _ duty: inout Duty
  ) throws(Refusal) -> Show.Pointer? {
    try check(count, handler, of: parent, named: name)
    if name == nil, show == nil, isModelOfService(parent) {
      try stream.enroll(parent, count, handler, at: place, userData, release, attempt, &duty)
      given?.pointee = parent.pointee.handle.pointer
      return nil
    }
    let scope: Scope.Pointer
    if let name {
      scope = try stream.addServer(name, below: parent)
    } else {
      scope = try server(parent)
    }
    given?.pointee = scope.pointee.handle.pointer
    do throws(Refusal) {
      if let show { try stream.addShow(show, userData, to: scope) }
      try stream.enroll(scope, count, handler, at: place, userData, release, attempt, &duty)
    } catch {
      given?.pointee = nil
      stream.removeShow(of: scope)
      if name == nil {
        stream.state.pointee.scopes.servers.remove(scope)
      } else {
        stream.removeScope(scope)
      }
      throw error
    }
    return scope.pointee.show
  }

  /// Whether a scope is the instance of a service, and a model: it takes handlers for what the service is asked, which
  /// are handed what others send only if they are its own.
  private func isModelOfService(_ scope: Scope.Pointer) -> Bool {
    scope.pointee.service != 0 && scope.pointee.show?.pointee.isOfModel == true
  }

  /// Makes a server of a scope. Under the lock.
  private func server(_ scope: Scope.Pointer) throws(Refusal) -> Scope.Pointer {
    try demandNoServer(scope)
    stream.state.pointee.scopes.servers.add(scope)
    return scope
  }

  /// Refuses a scope that cannot become a server. Under the lock.
  package func demandNoServer(_ scope: Scope.Pointer?) throws(Refusal) {
    guard let scope, scope != stream.state.pointee.scopes.root, !scope.pointee.isServer else {
      throw Refusal(
        .invalid, "name",
        "must not be NULL: only a scope that is no server yet can become one")
    }
  }

  /// Checks the rows before anything is created. Under the lock.
  ///
  /// - Parameters:
  ///   - scope: The server's parent, or the server itself if it gets no `name`.
  private func check(
    _ count: Int, _ handler: (Int) -> HandlerRow, of scope: Scope.Pointer, named name: Bytes?
  ) throws(Refusal) {
    let isOfService = name == nil && scope.pointee.service != 0
    let table = stream.state.pointee.observers.countTable()
    var index = 0
    while index < count {
      let row = handler(index)
      guard let type = row.type else { throw .null("rows.type") }
      guard row.function != nil else { throw .null("rows.fn") }
      guard !row.hasUnknownFlag else {
        throw Refusal(.unsupported, "rows.flags", "has a flag that this library does not know")
      }
      guard row.isOwn || !row.isWritten else {
        throw Refusal(
          .invalid, "rows.flags", "has MAINSTEM_HANDLER_WRITTEN without MAINSTEM_HANDLER_OWN")
      }
      let name = Bytes(zeroEnded: type)
      let number = stream.state.pointee.types.find(name)
      guard number != 0 else { throw stream.state.pointee.types.unknown(name, "rows.type") }
      try Effect.check(row.effect, name)
      if !isOfService || row.isOwn { try stream.demandAlone(row, number, in: table) }
      index &+= 1
    }
  }
}

extension ResolvedHandle {
  /// Refuses types that this scope may not observe, and types whose response it may not send: a handler that cannot
  /// answer would keep every other handler from answering.
  fileprivate func demandHandling(
    _ count: Int, _ handler: (Int) -> HandlerRow
  ) throws(Refusal) {
    var index = 0
    while index < count {
      if let name = handler(index).type {
        let (type, response) = try locked { () throws(Refusal) in
          let type = stream.state.pointee.types.find(Bytes(zeroEnded: name))
          return (type, stream.state.pointee.types.response(of: type))
        }
        if type != 0 { try demand(.handle, of: type) }
        if response != 0 { try demand(.respond, of: response) }
      }
      index &+= 1
    }
  }
}

/// What the name of a type says.
extension Effect {
  /// Refuses a handler whose type's name says otherwise than its flags.
  static func check(_ flags: UInt32, _ name: Bytes) throws(Refusal) {
    guard flags != 0 else { return }
    guard flags & (flags &- 1) == 0 else {
      throw Refusal(.invalid, "rows.flags", "says two effects: a handler has one")
    }
    let named = said(by: name)
    guard named == 0 || named == flags else {
      throw Refusal(
        .invalid, "rows.flags", "says another effect than the name of the type", .name(name))
    }
  }

  /// The flag that a name begins with: `RequestFetchEntries`, `Diary.loadMore`; 0: none.
  private static func said(by name: Bytes) -> UInt32 {
    var rest = name
    while let dot = firstDot(in: rest) { rest = rest.from(dot &+ 1) }
    if rest.hasPrefix("Request") { rest = rest.from(7) }
    guard rest.count > 0 else { return 0 }
    return if begins(rest, "etch", with: 0x66) {
      UInt32(MAINSTEM_HANDLER_FETCH)
    } else if begins(rest, "eload", with: 0x72) {
      UInt32(MAINSTEM_HANDLER_RELOAD)
    } else if begins(rest, "oadMore", with: 0x6C) {
      UInt32(MAINSTEM_HANDLER_LOAD_MORE)
    } else if begins(rest, "pdate", with: 0x75) {
      UInt32(MAINSTEM_HANDLER_UPDATE)
    } else if begins(rest, "erform", with: 0x70) {
      UInt32(MAINSTEM_HANDLER_PERFORM)
    } else {
      0
    }
  }

  private static func firstDot(in name: Bytes) -> Int? {
    var index = 0
    while index < name.count {
      if name[index] == 0x2E { return index }
      index &+= 1
    }
    return nil
  }

  /// Whether a name begins with a word: a letter, small or capital, then the rest, and then no small letter.
  private static func begins(_ name: Bytes, _ rest: StaticString, with letter: UInt8) -> Bool {
    guard name[0] | 0x20 == letter, name.from(1).hasPrefix(rest) else { return false }
    let end = 1 &+ Bytes(rest).count
    return end == name.count || !(0x61...0x7A).contains(name[end])
  }
}

extension Bytes {
  fileprivate func from(_ index: Int) -> Bytes { Bytes(start + index, count &- index) }
}
