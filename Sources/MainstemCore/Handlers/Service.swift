// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Services: factories that also make one instance for all, when it is first asked for.
///
/// The rows of a service stay, whether there is an instance or not. They hand it what others send. What is sent through
/// an instance, which may be one of somebody's own, is for that one: it gets it like every own handler.
extension Factory {
  /// The names of the types that ask for the instance begin like this.
  static var finding: StaticString { "RequestFind." }
  static var found: StaticString { "ResponseFind." }

  /// The number of the type that asks for the instance of a service.
  private static func type(finding name: Bytes, in stream: Stream) throws(Refusal) -> UInt32 {
    let typed = try typed(finding, name)
    defer { typed.free() }
    return stream.locked { stream.state.pointee.types.find(typed.bytes) }
  }

  /// Finds the instance of a service, or has it made.
  package static func find(
    _ name: Bytes, through resolved: ResolvedHandle
  ) throws(Refusal) -> Handle {
    let stream = resolved.stream
    let type = try type(finding: name, in: stream)
    guard let service = stream.locked({ stream.requests.service(asked: type) }) else {
      throw Refusal(
        .invalid, "name", "is no service: add it with mainstem_service_add", .name(name))
    }
    if let found = try service.pointee.instance(for: resolved) { return found }
    try stream.demandNoShow()
    var status = Status.ok.rawValue
    if stream.sendsOutput {
      // A replay calls this callback again.
      status = try make(service, for: nil, in: stream)
    } else {
      stream.locked { service.pointee.outcome = status }
      try Requests.request(resolved.handle, type, nil, 0, Request.Completion(nil, nil), nil)
    }
    // What ran meanwhile may have ended the service itself.
    if let service = stream.locked({ stream.requests.service(asked: type) }) {
      if let found = try service.pointee.instance(for: resolved) { return found }
      status = stream.locked { status == 0 ? service.pointee.outcome : status }
    }
    guard status == Status.ok.rawValue else {
      throw Refusal(
        Status(rawValue: status) ?? .cancelled, "name", "was not made: its function has failed",
        .name(name))
    }
    throw Refusal(
      .unset, "name", "is not there yet: it is made when what waits has been delivered",
      .name(name))
  }

  /// The handle of the live instance, unless more may be done through it than through a scope.
  private func instance(for resolved: ResolvedHandle) throws(Refusal) -> Handle? {
    let number = resolved.stream.locked { isLive(in: resolved.stream) ? shared : 0 }
    guard number != 0 else { return nil }
    guard let found = try resolved.findScope(number) else {
      throw Refusal(
        .denied, "scope", "may do less than the service: it cannot have the service's handle")
    }
    return found.handle
  }

  /// Whether there is an instance. Under the lock.
  private func isLive(in stream: Stream) -> Bool {
    shared != 0 && stream.state.pointee.scopes.origins[live: shared] != nil
  }

  /// Makes the instance.
  ///
  /// - Parameter event: The request for which it is made; nil: a callback asks for it.
  /// - Returns: What the program's function has returned.
  private static func make(
    _ service: Pointer, for event: UnsafePointer<mainstem_event>?, in stream: Stream
  ) throws(Refusal) -> Int32 {
    guard !service.pointee.isMaking else {
      throw Refusal(.busy, "name", "is being made: its function asks for it")
    }
    service.pointee.isMaking = true
    defer { service.pointee.isMaking = false }
    var refused: Refusal?
    let status = try service.pointee.open(
      for: event, askedBy: service.pointee.origin, in: stream
    ) { number in
      stream.locked { service.pointee.shared = number }
      if let event, event.pointee.type == service.pointee.find { refused = answer(event, number) }
      return true
    }
    if let refused { throw refused }
    return status
  }
}

/// The handler of a service.
package func serveService(
  _ userData: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let service = userData?.assumingMemoryBound(to: Factory.self), let event,
    let frame = Frame.of(event), let delivered = frame.pointee.event
  else { return }
  let stream = frame.pointee.stream
  do throws(Refusal) {
    let status = try Factory.serve(service, delivered, in: stream)
    refuse(event, status, "the service could not be made", of: service, in: stream)
  } catch {
    refuse(event, error.status.rawValue, error.reason, of: service, in: stream)
  }
}

private func refuse(
  _ event: UnsafePointer<mainstem_event>, _ status: Int32, _ message: Phrase,
  of service: Factory.Pointer, in stream: Stream
) {
  if event.pointee.type == service.pointee.find {
    stream.locked { service.pointee.outcome = status }
  }
  guard status != Status.ok.rawValue, !stream.isForked,
    event.pointee.flags & UInt32(MAINSTEM_EVENT_TRACKED) != 0
  else { return }
  Requests.answer(event, .error(.factory(status, message.bytes)))
}

extension Factory {
  /// Hands what others have sent to the instance, which is made now if there is none.
  ///
  /// - Returns: What the program's function has returned.
  fileprivate static func serve(
    _ service: Pointer, _ event: UnsafeMutablePointer<mainstem_event>, in stream: Stream
  ) throws(Refusal) -> Int32 {
    let sender = stream.locked { () -> Scope.Pointer? in
      let scope = stream.state.pointee.scopes.scope(of: event.pointee.origin)
      return scope?.pointee.service == service.pointee.find ? scope : nil
    }
    let isFind = event.pointee.type == service.pointee.find
    if let sender, !isFind {
      let isServed = stream.locked {
        stream.requests.handler(of: sender, event.pointee.type) != nil
      }
      try demandServed(isServed)
      return Status.ok.rawValue
    }
    if stream.locked({ service.pointee.isLive(in: stream) }) {
      if isFind, let refused = answer(event, service.pointee.shared) { throw refused }
    } else {
      let status = try make(service, for: event, in: stream)
      if status != Status.ok.rawValue || stream.isForked { return status }
    }
    if !isFind { try demandServed(stream.requests.hand(event, to: service.pointee.shared)) }
    return Status.ok.rawValue
  }

  private static func demandServed(_ isServed: Bool) throws(Refusal) {
    guard isServed else {
      throw Refusal(.unhandled, "", "the service has no handler for this request")
    }
  }
}

extension Requests {
  /// The service whose instance a type asks for. Under the lock.
  fileprivate func service(asked type: UInt32) -> UnsafeMutablePointer<Factory>? {
    guard type != 0, let observers = stream.state.pointee.observers.find(type) else { return nil }
    let function: mainstem_event_fn = serveService
    var found: UnsafeMutablePointer<Factory>?
    observers.pointee.eachHandler { handler in
      // Functions cannot be compared: another handler's user data is no service.
      guard
        unsafeBitCast(handler.pointee.function, to: UInt.self)
          == unsafeBitCast(function, to: UInt.self), !Subscription.isCancelled(handler)
      else { return }
      found = handler.pointee.userData?.assumingMemoryBound(to: Factory.self)
    }
    return found
  }

  /// The first of a service's handlers of a type behind another. Under the lock.
  fileprivate func handler(
    of scope: Scope.Pointer, _ type: UInt32, after serial: UInt64 = 0
  ) -> Subscription.Pointer? {
    var first: Subscription.Pointer?
    Scope.eachObserver(of: scope) { handler in
      guard handler.pointee.call.isForOthers,
        case .one(type) = handler.pointee.filter, !Subscription.isCancelled(handler),
        handler.pointee.serial > serial
      else { return }
      if handler.pointee.serial < first?.pointee.serial ?? .max { first = handler }
    }
    return first
  }

  /// Hands an event to an instance of a service: to each of its handlers, in the order in which they were added.
  ///
  /// - Returns: Whether there was any.
  fileprivate func hand(_ event: UnsafeMutablePointer<mainstem_event>, to instance: UInt64) -> Bool
  {
    var last: UInt64 = 0
    while !stream.isForked, let handler = nextHandler(of: instance, event, after: last) {
      last = handler.pointee.serial
      stream.deliverLate(event, to: handler)
    }
    if !stream.isForked, stream.deliverer.pointee.shows.first != nil {
      stream.locked { stream.askToPay(for: event) }
    }
    return last != 0
  }

  /// The next handler of an instance that gets an event. The request that the event is knows from here on who got it.
  private func nextHandler(
    of instance: UInt64, _ event: UnsafeMutablePointer<mainstem_event>, after serial: UInt64
  ) -> Subscription.Pointer? {
    stream.locked {
      guard let scope = stream.state.pointee.scopes.origins[live: instance] else { return nil }
      let next = handler(of: scope, event.pointee.type, after: serial)
      if next != nil, let (slot, key) = Slot.find(Handle(bits: event.pointee.reply)),
        let request = request(in: slot, key)
      {
        note(request, servedBy: scope)
      }
      return next
    }
  }
}
