// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// What hosts call.
extension Navigator {
  /// Runs something that may find no memory, and that a replay refuses where it did.
  package static func trying<Result>(
    on stream: Stream, _ body: () throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    try stream.trying { _ throws(Refusal) in try body() }
  }

  /// Adds a type for patterns.
  package func addType(
    _ name: UnsafePointer<CChar>?, _ accepts: mainstem_route_type_fn?,
    _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?
  ) throws(Refusal) {
    try stream.locked { () throws(Refusal) in
      try Navigator.demandNoEvents(on: stream)
      try state.pointee.router.addType(name, accepts, userData, release)
    }
  }

  /// Adds a route.
  package func add(_ row: mainstem_route_row, _ resolved: ResolvedHandle) throws(Refusal) {
    guard let kind = ComponentKind(rawValue: row.kind) else {
      throw Refusal(.invalid, "rows.kind", "is no kind")
    }
    guard row.flags == 0 else { throw Refusal(.unsupported, "rows.flags", "has an unknown flag") }
    let parts = try row.parts.map { (text) throws(Refusal) in
      try Bytes.checked(text, "rows.parts", atMost: 65536)
    }
    guard parts.map({ $0.count > 0 }) ?? false || kind != .embed && kind != .group else {
      throw .null("rows.parts")
    }
    var (open, tellsURL) = (0 as UInt32, false)
    let name = try row.name.map { (name) throws(Refusal) in try Name.check(name, "rows.name") }
    if let name {
      open = try Factory.type(name, in: resolved)
      let payload = stream.contract(of: open).payload
      guard payload == .text || payload == Contract.Payload.none else {
        throw Refusal(
          .invalid, "rows.name", "gets something else than a URL: its contract is to be TEXT",
          .name(name))
      }
      tellsURL = payload == .text
    }
    try stream.locked { () throws(Refusal) in
      try Navigator.demandNoEvents(on: stream)
      let route = try state.pointee.router.add(row.pattern)
      guard let pattern = row.pattern,
        state.pointee.destinations.add(
          route, Bytes(zeroEnded: pattern), kind, name: name, open: open, tellsURL: tellsURL,
          parts: parts)
      else {
        try state.pointee.router.remove(route)
        throw .noMemory
      }
    }
  }

  /// The route that was added after so many others.
  package func route(at index: Int) throws(Refusal) -> mainstem_route_row {
    try stream.locked { () throws(Refusal) in
      guard let destination = state.pointee.destinations[at: index] else {
        throw Refusal(.unset, "index", "is not below the number of routes")
      }
      return mainstem_route_row(
        pattern: destination.pointee.pattern.text, name: destination.pointee.name?.text,
        kind: destination.pointee.kind.rawValue, flags: 0, parts: destination.pointee.parts?.text)
    }
  }

  /// Adds a guard.
  package func addGuard(
    _ pattern: UnsafePointer<CChar>?, _ name: Bytes, isLeaving: Bool
  ) throws(Refusal) {
    guard name.count <= 241 else { throw Refusal(.tooBig, "name", "is longer than 241 bytes") }
    let request = try Factory.typed("RequestGuard.", name)
    defer { request.free() }
    let response = try Factory.typed("ResponseGuard.", name)
    defer { response.free() }
    let text = Contract.Payload.text.rawValue << 32 | NavigatorTypes.layer
    try stream.locked { () throws(Refusal) in
      try Navigator.demandNoEvents(on: stream)
      _ = try stream.addType(response.bytes, text, response: nil)
      let type = try stream.addType(request.bytes, text, response: response.bytes)
      try RouteGuard.add(
        pattern, type, isLeaving: isLeaving, types: state.pointee.router,
        to: &state.pointee.guards)
    }
  }

  /// Finds the parameters of an event's URL.
  package static func match(
    _ event: UnsafePointer<mainstem_event>
  ) throws(Refusal) -> RouteMatch.Pointer {
    try using(try Stream.of(event)) { (navigator) throws(Refusal) in try navigator.match(event) }
  }

  private func match(
    _ event: UnsafePointer<mainstem_event>
  ) throws(Refusal) -> RouteMatch.Pointer {
    let payload = Bytes(event.pointee.data, Int(event.pointee.size))
    var url = payload
    if types.isShow(event.pointee.type) {
      guard case .text(let escaped) = JSONMembers.value(of: "url", in: payload) else {
        throw Refusal(.invalid, "event", "has no URL")
      }
      url = escaped
    } else if stream.contract(of: event.pointee.type).payload != .text {
      throw Refusal(.invalid, "event", "has no URL: its payload is no text")
    }
    guard let room = Memory.allocate(CChar.self, count: url.count &+ 1) else { throw .noMemory }
    defer { Memory.free(room) }
    if url.start == payload.start {
      UnsafeMutableRawPointer(room).copyMemory(from: url.start, byteCount: url.count)
      room[url.count] = 0
    } else if url.unescape(to: UnsafeMutableRawPointer(room)) == nil {
      throw .notOfNavigator
    }
    let (_, match) = try RouteMatch.find(room, in: state.pointee.router, isWanted: true)
    guard let match else { throw .noMemory }
    return match
  }
}

/// Results.
extension Navigator {
  /// Writes a result: the name of its type, a zero, its payload. The caller frees the memory.
  package static func result(
    _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int, in stream: Stream
  ) throws(Refusal) -> (memory: UnsafeMutableRawPointer, length: Int) {
    let contract = stream.contract(of: type)
    guard contract.bits != 0 else { throw .noType(type) }
    guard !contract.isSecret else {
      throw Refusal(.invalid, "type", "is secret: a result is not")
    }
    try stream.demandForm(contract, type, data, size)
    return try stream.trying { _ throws(Refusal) in
      let found = try stream.locked { () throws(Refusal) in
        stream.state.pointee.types[type].flatMap { Name(copying: $0.name.bytes) }
      }
      guard let name = found else { throw .noMemory }
      defer { name.free() }
      let length = name.count &+ 1 &+ size
      guard let room = Memory.allocate(UInt8.self, count: length) else { throw .noMemory }
      let raw = UnsafeMutableRawPointer(room)
      raw.copyMemory(from: name.text, byteCount: name.count &+ 1)
      if let data, size > 0 { (raw + (name.count &+ 1)).copyMemory(from: data, byteCount: size) }
      return (raw, length)
    }
  }

  /// Reads the result in the answer of a move.
  package static func readResult(
    _ event: UnsafePointer<mainstem_event>
  ) throws(Refusal) -> mainstem_result {
    let stream = try Stream.of(event)
    let types = try types(of: stream)
    let payload = Bytes(event.pointee.data, Int(event.pointee.size))
    guard event.pointee.type == types.result, event.pointee.status == 0 else {
      throw Refusal(.invalid, "event", "is no MainstemResult that is OK")
    }
    var result = mainstem_result()
    result.data = Draft.nothing
    guard payload.count > 0 else { return result }
    let end = payload.index(of: 0)
    let name = payload.part(0, end)
    result.type = stream.locked { stream.state.pointee.types.find(name) }
    guard end < payload.count, result.type != 0 else { throw .notOfNavigator }
    result.data = payload.start + (end &+ 1)
    result.data_size = payload.count &- end &- 1
    return result
  }

  /// Refuses an event that is no guard's request, and a verdict that its guard does not have.
  package static func demandGuard(
    _ event: UnsafePointer<mainstem_event>, goesElsewhere: Bool
  ) throws(Refusal) {
    let stream = try Stream.of(event)
    let isGuard = stream.locked {
      stream.state.pointee.types[event.pointee.type]?.name.bytes.hasPrefix("RequestGuard.") ?? false
    }
    guard isGuard else { throw Refusal(.invalid, "event", "is no request of a guard") }
    guard goesElsewhere else { return }
    let isLeaving = try? using(stream) { navigator in
      navigator.stream.locked { navigator.component(leftBy: event) != nil }
    }
    guard isLeaving != true else { throw .goOnly }
  }
}

extension Refusal {
  /// Of a leaving guard.
  static var goOnly: Refusal {
    Refusal(
      .invalid, "verdict", "is not go: a leaving guard lets the page close, or answers an error")
  }
}

/// The tree, as others see it.
extension Navigator {
  /// The number of the component from within which an event was sent, or about which it asks a leaving guard.
  package static func number(
    ofComponentOf event: UnsafePointer<mainstem_event>
  ) throws(Refusal) -> UInt64 {
    let number = try using(try Stream.of(event)) { navigator in
      navigator.stream.locked {
        (navigator.component(under: event.pointee.origin) ?? navigator.component(leftBy: event))?
          .pointee.number
      }
    }
    guard let number else {
      throw Refusal(.unset, "event", "comes from no component that is there")
    }
    return number
  }

  /// The component about which an event asks a leaving guard. Under the lock.
  private func component(leftBy event: UnsafePointer<mainstem_event>) -> Component.Pointer? {
    guard event.pointee.reply != 0 else { return nil }
    // All that is open has a move; this one has come lately.
    let move = moving.pointee.moves.last { $0.pointee.leaving.asked.bits == event.pointee.reply }
    return move.flatMap { tree[$0.pointee.leaving.component] }
  }

  /// Visits the numbers of what is shown, in the order in which that was told.
  package func eachShown(_ visit: (UInt64) -> Void) {
    stream.locked { tree.shown.each { visit($0.pointee.number) } }
  }

  /// Writes a component, also one that is not shown yet; nil: there is none of this number.
  package func write(_ number: UInt64, to memory: UnsafeMutableRawPointer?) -> Int? {
    stream.locked {
      guard let component = tree[number], component.pointee.number == number else { return nil }
      var writer = JSONWriter(memory)
      writer.open()
      Component.write(component, to: &writer)
      writer.member("hidden", unsigned: tree.covers(component) ? 1 : 0)
      writer.close()
      return writer.length
    }
  }

  /// Answers the show of a component, from any thread.
  package func answerShow(
    of number: UInt64, through context: OpaquePointer?
  ) throws(Refusal) {
    let asked = stream.locked { () -> mainstem_event? in
      guard let component = tree[number], let asked = component.pointee.asked,
        let (slot, key) = Slot.find(asked),
        slot.pointee.state.load(ordering: .acquiring) == key,
        let request = slot.pointee.object?.assumingMemoryBound(to: Request.self)
      else { return nil }
      return mainstem_event(
        position: request.pointee.position, cause: 0, correlation: request.pointee.correlation,
        answers: 0, time: 0, size: 0, offset: 0, type: types.show, status: 0, origin: 0, flags: 0,
        data: Draft.nothing, user_message: nil, context: context,
        reply: request.pointee.handle.bits,
        home: 0, through: 0)
    }
    guard let asked else {
      throw Refusal(.stale, "component", "is not about to be shown", .number(number))
    }
    try withUnsafePointer(to: asked) { (event) throws(Refusal) in
      try Requests.respond(event, .payload(nil, 0))
    }
  }
}

/// Reading what the navigator has written.
extension mainstem_component_info {
  /// Reads the component in a payload.
  ///
  /// - Parameters:
  ///   - text: Where its texts go, each with a zero.
  ///   - capacity: Of `text`.
  package init(
    _ payload: Bytes, _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int
  ) throws(Refusal) {
    self.init()
    var texts = TextsOfShow(text, capacity)
    var members = JSONMembers(payload)
    var isThere = false
    while let member = members.next() {
      switch (member.name, member.value) {
      case (Bytes("component"), .number(let number)):
        component = number
        isThere = true
      case (Bytes("parent"), .number(let number)): parent = number
      case (Bytes("owner"), .number(let number)): owner = number
      case (Bytes("hidden"), .number(let number)): hidden = number
      case (Bytes("kind"), .text(let word)): kind = ComponentKind(name: word)?.rawValue ?? 0
      case (Bytes("name"), .text(let escaped)): name = try texts.add(escaped)
      case (Bytes("url"), .text(let escaped)): url = try texts.add(escaped)
      case (Bytes("route"), .text(let escaped)): route = try texts.add(escaped)
      case (Bytes("slot"), .text(let escaped)): slot = try texts.add(escaped)
      default: break
      }
    }
    guard members.isWhole else { throw .notOfNavigator }
    guard isThere else { throw Refusal(.unset, "event", "only closes: it shows nothing") }
    guard ComponentKind(rawValue: kind) != nil, name != nil, url != nil, route != nil, slot != nil
    else { throw .notOfNavigator }
  }
}

/// Texts, one behind the other, in a buffer of the host's.
private struct TextsOfShow {
  private let memory: UnsafeMutablePointer<CChar>?
  private let capacity: Int
  private var length = 0

  init(_ memory: UnsafeMutablePointer<CChar>?, _ capacity: Int) {
    self.memory = memory
    self.capacity = capacity
  }

  mutating func add(_ escaped: Bytes) throws(Refusal) -> UnsafePointer<CChar> {
    guard let memory, length &+ escaped.count < capacity else {
      throw Refusal(.tooBig, "capacity", "is too small for the texts: pass a larger buffer")
    }
    let start = memory + length
    guard let written = escaped.unescape(to: UnsafeMutableRawPointer(start)) else {
      throw .notOfNavigator
    }
    length &+= written &+ 1
    return UnsafePointer(start)
  }
}

extension Refusal {
  package static var notOfNavigator: Refusal {
    Refusal(.invalid, "event", "is none that the navigator has sent")
  }
}

/// The numbers that a payload closes.
package struct ClosedNumbers {
  private var numbers: JSONNumbers

  package init(_ payload: Bytes) throws(Refusal) {
    guard case .list(let list) = JSONMembers.value(of: "closed", in: payload) else {
      throw .notOfNavigator
    }
    numbers = JSONNumbers(list)
  }

  package mutating func next() -> UInt64? { numbers.next() }
}
