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

  private typealias Pointer = UnsafeMutablePointer<Factory>

  /// The names of the types begin like this.
  private static var request: StaticString { "RequestOpen." }
  fileprivate static var response: StaticString { "ResponseOpen." }

  /// The longest name, so that those of its types fit.
  private static var longest: Int { 242 }
}

extension Factory {
  /// Prepares a factory: its types, and the user data of the server that answers the requests to open. The caller adds
  /// that server, with `openOwner` and `freeFactory`.
  ///
  /// - Returns: The user data, and the name of the request's type, which the caller frees.
  package static func prepare(
    _ handle: Handle, _ name: Bytes, _ bits: UInt64, _ make: @escaping mainstem_make_fn,
    _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?
  ) throws(Refusal) -> (factory: UnsafeMutableRawPointer, type: Name) {
    let resolved = try ResolvedHandle.own(handle)
    guard name.count <= longest else {
      throw Refusal(.tooBig, "name", "is longer than 242 bytes")
    }
    let type = try typed(request, name)
    do throws(Refusal) {
      try resolved.locked { () throws(Refusal) in
        try resolved.stream.addTypes(ofFactory: name, type.bytes, bits)
      }
      let factory = try allocate(Factory(copying: name, make, userData, release, home: handle))
      return (UnsafeMutableRawPointer(factory), type)
    } catch {
      type.free()
      throw error
    }
  }

  /// Takes back what `prepare` made: the release hook is not called.
  package static func takeBack(_ factory: UnsafeMutableRawPointer) {
    let factory = factory.assumingMemoryBound(to: Factory.self)
    factory.pointee.name.free()
    Memory.free(factory)
  }

  private init(
    copying name: Bytes, _ make: @escaping mainstem_make_fn, _ userData: UnsafeMutableRawPointer?,
    _ release: mainstem_release_fn?, home: Handle
  ) throws(Refusal) {
    guard let copy = Name(copying: name) else { throw .noMemory }
    self.name = copy
    self.make = make
    self.userData = userData
    self.release = release
    self.home = home
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
  fileprivate static func typed(_ prefix: StaticString, _ name: Bytes) throws(Refusal) -> Name {
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

extension Stream {
  /// Registers the types of a factory, and that of ends. Under the lock.
  fileprivate func addTypes(
    ofFactory name: Bytes, _ request: Bytes, _ bits: UInt64
  ) throws(Refusal) {
    guard position == 0 else {
      throw Refusal(.invalid, "context", "has had events: add factories before the first")
    }
    guard Contract(bits: bits).role == nil else {
      throw Refusal(.invalid, "contract", "has a role: leave it out, an open is a request")
    }
    var isKnown = false
    state.pointee.scopes.eachServer { server, _ in
      isKnown = isKnown || server == request
      return !isKnown
    }
    guard !isKnown else {
      throw Refusal(.invalid, "name", "has a factory already: there is one for each", .name(name))
    }
    _ = try Contract(checking: bits, for: request, layers: state.pointee.layers.count)
    try addEndType()
    let response = try Factory.typed(Factory.response, name)
    defer { response.free() }
    _ = try addType(
      response.bytes,
      Contract.Payload.integer.rawValue << 32 | Contract(bits: bits).layerBits,
      response: nil)
    _ = try addType(request, bits, response: response.bytes)
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
    let sentence = error.reason.bytes
    try? Stream.respond(event, .error(.factory(error.status.rawValue, sentence)))
  }
}

extension Factory {
  /// Lets the program fill a scope, then answers with its number. What is not answered so has never been opened.
  fileprivate func open(
    for event: UnsafePointer<mainstem_event>, in stream: Stream
  ) throws(Refusal) {
    var refused: Refusal?
    let status = try stream.open(name.bytes, below: home, askedBy: event.pointee.origin) { handle in
      make(userData, handle.pointer, event)
    } _: { number in
      refused = Factory.answer(event, number)
      return refused == nil
    }
    guard !stream.isForked else { return }
    if let refused { throw refused }
    guard status != Status.ok.rawValue else { return }
    try Stream.respond(event, .error(.factory(status, Bytes("the factory has failed"))))
  }

  /// Answers with a number; returns why it was refused.
  private static func answer(
    _ event: UnsafePointer<mainstem_event>, _ number: UInt64
  ) -> Refusal? {
    withUnsafeBytes(of: number) { bytes -> Refusal? in
      do throws(Refusal) {
        try Stream.respond(event, .payload(bytes.baseAddress, bytes.count))
        return nil
      } catch {
        return error
      }
    }
  }
}

extension ErrorValue {
  fileprivate static func factory(_ code: Int32, _ sentence: Bytes) -> ErrorValue {
    ErrorValue(code: code, sentence: sentence, text: Bytes(""), subject: Bytes(""))
  }
}
