// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// What makes the owners of one name: the user data of a server with one handler, for the request that opens one.
package struct Factory {
  private let name: Name
  private let make: mainstem_make_fn
  private let userData: UnsafeMutableRawPointer?
  private let release: mainstem_release_fn?
  /// The scope below which it makes them: that which it was added to.
  private let home: Handle
  /// The origin of that scope.
  let origin: UInt32
  /// Of a service: the type that asks for its instance; 0: it is no service.
  let find: UInt32
  /// The number of its last instance; 0: there was none. Under the lock.
  var shared: UInt64 = 0
  /// What the last request for its instance was answered with. Under the lock.
  var outcome: Int32 = 0
  /// Its instance is being made.
  var isMaking = false

  typealias Pointer = UnsafeMutablePointer<Factory>

  /// The names of the types begin like this.
  fileprivate static var request: StaticString { "RequestOpen." }
  fileprivate static var response: StaticString { "ResponseOpen." }

  /// The longest name, so that those of its types fit.
  private static var longest: Int { 242 }
}

extension Factory {
  /// Prepares a factory: its types, and the user data of the server that answers the requests to open. The caller adds
  /// that server, with `openOwner` and `freeFactory`.
  ///
  /// - Parameters:
  ///   - types: Those that a service handles.
  ///   - count: How many; below 0: it is no service.
  package static func prepare(
    _ handle: Handle, _ name: Bytes, _ bits: UInt64,
    serving types: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int,
    _ make: @escaping mainstem_make_fn, _ userData: UnsafeMutableRawPointer?,
    _ release: mainstem_release_fn?
  ) throws(Refusal) -> PreparedFactory {
    let resolved = try ResolvedHandle.own(handle)
    guard name.count <= longest else {
      throw Refusal(.tooBig, "name", "is longer than 242 bytes")
    }
    var made = try PreparedFactory(name, serving: types, count)
    do throws(Refusal) {
      let find = try resolved.locked { () throws(Refusal) in
        try resolved.stream.requests.addTypes(ofFactory: name, made.open.bytes, bits)
        guard let finding = made.finding else { return 0 as UInt32 }
        return try resolved.stream.requests.addTypes(ofService: name, finding.bytes, bits)
      }
      let factory = try allocate(
        Factory(copying: name, make, userData, release, home: handle, resolved.origin, find: find))
      made.factory = UnsafeMutableRawPointer(factory)
      return made
    } catch {
      made.free()
      throw error
    }
  }

  /// Takes back what `prepare` made: the release hook is not called.
  package static func takeBack(_ factory: UnsafeMutableRawPointer?) {
    guard let factory = factory?.assumingMemoryBound(to: Factory.self) else { return }
    factory.pointee.name.free()
    Memory.free(factory)
  }

  private init(
    copying name: Bytes, _ make: @escaping mainstem_make_fn, _ userData: UnsafeMutableRawPointer?,
    _ release: mainstem_release_fn?, home: Handle, _ origin: UInt32, find: UInt32
  ) throws(Refusal) {
    guard let copy = Name(copying: name) else { throw .noMemory }
    self.name = copy
    self.make = make
    self.userData = userData
    self.release = release
    self.home = home
    self.origin = origin
    self.find = find
  }

  private static func allocate(_ made: Factory) throws(Refusal) -> Pointer {
    guard let factory = Memory.allocate(Factory.self) else {
      made.name.free()
      throw .noMemory
    }
    factory.initialize(to: made)
    return factory
  }

  /// The name of a factory's type. The caller frees it.
  static func typed(_ prefix: StaticString, _ name: Bytes) throws(Refusal) -> Name {
    var text = SubjectWriter()
    text.add(Bytes(prefix))
    text.add(name)
    guard let name = Name(copying: text.bytes) else { throw .noMemory }
    return name
  }

  /// The number of the type that asks for an owner.
  package static func type(_ name: Bytes, in resolved: ResolvedHandle) throws(Refusal) -> UInt32 {
    let typed = try typed(request, name)
    defer { typed.free() }
    let type = try resolved.locked { () throws(Refusal) in
      resolved.stream.state.pointee.types.find(typed.bytes)
    }
    guard type != 0 else {
      throw Refusal(
        .invalid, "name", "has no factory: add one with mainstem_factory_add", .name(name))
    }
    return type
  }

  fileprivate func end() {
    name.free()
    release?(userData)
  }
}

extension Requests {
  /// Registers the types that ask for the instance of a service. Under the lock.
  ///
  /// - Returns: The request's number.
  fileprivate func addTypes(
    ofService name: Bytes, _ request: Bytes, _ bits: UInt64
  ) throws(Refusal) -> UInt32 {
    let layer = Contract(bits: bits).layerBits
    let response = try Factory.typed(Factory.found, name)
    defer { response.free() }
    _ = try stream.addType(
      response.bytes, Contract.Payload.integer.rawValue << 32 | layer, response: nil)
    return try stream.addType(
      request, Contract.Payload.none.rawValue << 32 | layer, response: response.bytes)
  }

  /// Registers the types of a factory, and that of ends. Under the lock.
  fileprivate func addTypes(
    ofFactory name: Bytes, _ request: Bytes, _ bits: UInt64
  ) throws(Refusal) {
    guard !stream.hasBegun else {
      throw Refusal(.invalid, "context", "has had events: add factories before the first")
    }
    guard Contract(bits: bits).role == nil else {
      throw Refusal(.invalid, "contract", "has a role: leave it out, an open is a request")
    }
    var isKnown = false
    stream.state.pointee.scopes.eachServer { server, _ in
      isKnown = isKnown || server == request
      return !isKnown
    }
    guard !isKnown else {
      throw Refusal(.invalid, "name", "has a factory already: there is one for each", .name(name))
    }
    _ = try Contract(checking: bits, for: request, layers: stream.state.pointee.layers.count)
    try stream.addEndType()
    let response = try Factory.typed(Factory.response, name)
    defer { response.free() }
    _ = try stream.addType(
      response.bytes,
      Contract.Payload.integer.rawValue << 32 | Contract(bits: bits).layerBits,
      response: nil)
    _ = try stream.addType(request, bits, response: response.bytes)
  }
}

/// A factory that is about to be added, with the names of its types and its handlers.
package struct PreparedFactory {
  /// Nil: it is still being prepared.
  package fileprivate(set) var factory: UnsafeMutableRawPointer?
  /// Of the type that opens an owner.
  package let open: Name
  /// Of the type that asks for the instance of a service.
  fileprivate let finding: Name?
  package let rows: UnsafeMutablePointer<mainstem_handler_row>
  package let count: Int

  fileprivate init(
    _ name: Bytes, serving types: UnsafePointer<UnsafePointer<CChar>?>?, _ served: Int
  ) throws(Refusal) {
    count = served &+ 2
    open = try Factory.typed(Factory.request, name)
    finding = served < 0 ? nil : try? Factory.typed(Factory.finding, name)
    guard served < 0 || finding != nil,
      let rows = Memory.allocate(mainstem_handler_row.self, count: count)
    else {
      open.free()
      finding?.free()
      throw .noMemory
    }
    self.rows = rows
    rows[0] = mainstem_handler_row(type: open.text, fn: openOwner, flags: 0)
    guard let finding else { return }
    rows[1] = mainstem_handler_row(type: finding.text, fn: serveService, flags: 0)
    var index = 0
    while index < served {
      rows[index &+ 2] = mainstem_handler_row(type: types?[index], fn: serveService, flags: 0)
      index &+= 1
    }
  }

  package func free() {
    open.free()
    finding?.free()
    Memory.free(rows)
  }
}

/// Ends a factory, when its server has ended.
package func freeFactory(_ userData: UnsafeMutableRawPointer?) {
  guard let factory = userData?.assumingMemoryBound(to: Factory.self) else { return }
  factory.pointee.end()
  Memory.free(factory)
}

/// The handler of every factory: opens an owner for the scope that asked.
package func openOwner(
  _ userData: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let factory = userData?.assumingMemoryBound(to: Factory.self), let event,
    let stream = Frame.of(event)?.pointee.stream
  else { return }
  do throws(Refusal) {
    guard event.pointee.flags & UInt32(MAINSTEM_EVENT_TRACKED) != 0 else {
      throw Refusal(.invalid, "", "is to be requested: nobody would know what was opened")
    }
    try factory.pointee.open(for: event, in: stream)
  } catch {
    guard !stream.isForked else { return }
    let message = error.reason.bytes
    Requests.answer(event, .error(.factory(error.status.rawValue, message)))
  }
}

extension Factory {
  /// Lets the program fill a scope, then answers with its number. What is not answered so has never been opened.
  fileprivate func open(
    for event: UnsafePointer<mainstem_event>, in stream: Stream
  ) throws(Refusal) {
    var refused: Refusal?
    let status = try open(for: event, askedBy: event.pointee.origin, in: stream) { number in
      refused = Factory.answer(event, number)
      return refused == nil
    }
    guard !stream.isForked else { return }
    if let refused { throw refused }
    guard status != Status.ok.rawValue else { return }
    try Requests.respond(event, .error(.factory(status, Bytes("the factory has failed"))))
  }

  /// Opens an owner below the factory's scope, and lets the program fill it.
  ///
  /// - Parameters:
  ///   - event: The request; nil: a callback asks for a service.
  ///   - origin: Who asks.
  ///   - answer: See `Stream.open`.
  /// - Returns: What the program's function has returned.
  func open(
    for event: UnsafePointer<mainstem_event>?, askedBy origin: UInt32, in stream: Stream,
    _ answer: (UInt64) -> Bool
  ) throws(Refusal) -> Int32 {
    try stream.open(
      name.bytes, below: home, askedBy: origin, ofService: find,
      { handle in make(userData, handle.pointer, event) }, answer)
  }

  /// Answers with a number; returns why it was refused.
  static func answer(
    _ event: UnsafePointer<mainstem_event>, _ number: UInt64
  ) -> Refusal? {
    withUnsafeBytes(of: number) { bytes -> Refusal? in
      do throws(Refusal) {
        try Requests.respond(event, .payload(bytes.baseAddress, bytes.count))
        return nil
      } catch {
        return error
      }
    }
  }
}

extension ErrorValue {
  static func factory(_ code: Int32, _ message: Bytes) -> ErrorValue {
    ErrorValue(code: code, message: message, text: Bytes(""), subject: Bytes(""))
  }
}
