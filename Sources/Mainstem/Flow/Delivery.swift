// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// An event as a callback gets it, with what the stream knows about it. Valid until the callback returns.
public struct Delivery: ~Copyable {
  let event: UnsafePointer<mainstem_event>
  let types: EventTypes

  init(_ event: UnsafePointer<mainstem_event>, types: EventTypes) {
    self.event = event
    self.types = types
  }

  /// Its place on the stream: 1, 2, 3 …
  public var position: UInt64 { event.pointee.position }

  /// The position of the event whose delivery sent it; 0 = it came from outside.
  public var cause: UInt64 { event.pointee.cause }

  /// The position of the outside event that began the chain.
  public var correlation: UInt64 { event.pointee.correlation }

  /// The position of the request it answers; 0 = none.
  public var answers: UInt64 { event.pointee.answers }

  /// When it was accepted, in nanoseconds since 1970; 0 if times are not kept.
  public var time: Int64 { event.pointee.time }

  /// ``Status/ok``, or the code of a failed response.
  public var status: Status { Status(rawValue: event.pointee.status) }

  /// Whether exactly one response will answer it.
  public var isTracked: Bool { event.pointee.flags & UInt32(MAINSTEM_EVENT_TRACKED) != 0 }

  /// Whether it is progress of a request, not its response.
  public var isProgress: Bool { event.pointee.flags & UInt32(MAINSTEM_EVENT_PROGRESS) != 0 }

  /// Whether it is a shared request, which no handler gets, or its copy of an answer or of a step.
  public var isShared: Bool { event.pointee.flags & UInt32(MAINSTEM_EVENT_SHARED) != 0 }

  /// Whether it came from outside: a replay feeds such events in.
  public var isOutside: Bool { event.pointee.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0 }

  /// Whether it comes from a history, because its observer joined after it: ``Context/keepHistory(of:last:maxAge:)``.
  public var isLate: Bool { event.pointee.flags & UInt32(MAINSTEM_EVENT_LATE) != 0 }

  /// Whether its type is a secret: do not show or store its payload.
  public var isSecret: Bool { event.pointee.flags & UInt32(MAINSTEM_EVENT_SECRET) != 0 }

  /// Its payload as it was sent; empty for a failed response.
  public var payload: [UInt8] { status == .ok ? EventTypes.bytes(of: event.pointee) : [] }

  /// What went wrong, in a failed response; `nil` otherwise.
  public var failure: Failure? { status == .ok ? nil : Failure(of: event) }

  /// The context or scope it was observed with. Events sent through a server's carry the server's name.
  public var context: Context { Context(event.pointee.context, types: types, ownership: .none) }

  /// Sends an event through ``context``: it is delivered after this one, which is its cause.
  ///
  /// - Parameter event: The event.
  /// - Throws: The reason it was not accepted.
  public func send<E: Event>(_ event: E) throws(StreamError) { try context.send(event) }
}

extension Delivery {
  /// Decodes the event.
  ///
  /// - Parameter type: Its type; if the payload does not fit the type, the call throws.
  /// - Returns: The event.
  /// - Throws: ``Status/invalid``, with a message that names type and field.
  public func decode<E: Event>(_ type: E.Type) throws(Failure) -> E {
    try types.decode(type, from: event)
  }

  /// Decodes the response, or its failure.
  ///
  /// - Parameter type: The response type.
  /// - Returns: The response or its failure.
  public func result<R: Response>(_ type: R.Type) -> Result<R, Failure> {
    outcome { try decode(type) }
  }

  /// What is read from a response, or its failure.
  func outcome<Value>(_ read: () throws -> Value) -> Result<Value, Failure> {
    if let failure { return .failure(failure) }
    do { return .success(try read()) } catch { return .failure(Failure(error)) }
  }

  /// Marks the callback as failed. The failure is counted and reported; the subscription lives on.
  ///
  /// - Parameter failure: Why.
  public func fail(_ failure: Failure) {
    mainstem_fail(event, failure.code.rawValue, failure.recorded)
  }

  /// Marks the callback as failed, unless it could not read a list that a journal has not kept: nobody is shown that.
  func failUnlessMarked(_ error: any Error) {
    if event.pointee.flags & UInt32(MAINSTEM_EVENT_MARKED) != 0,
      (try? types.contract(of: event.pointee.type))?.isList == true
    {
      return
    }
    fail(Failure(error))
  }

  /// Reports progress of the request a handler got. May be called any number of times before the answer.
  ///
  /// - Parameter step: The notice to send. It is on the stream like any other.
  /// - Throws: ``Status/stale`` if the request has its answer, ``Status/invalid`` if the event is not a
  ///   request.
  public func progress<N: Notice>(_ step: N) throws(StreamError) {
    try types.tell(step, of: event)
  }

  /// Keeps a request, to answer it later, from any thread.
  ///
  /// - Parameter type: The request type.
  /// - Returns: The reply that answers it.
  /// - Throws: The reason it could not be kept.
  public func reply<R: Request>(to type: R.Type) throws(StreamError) -> Reply<R> {
    var retained: OpaquePointer?
    try StreamError.check(mainstem_event_retain(event, &retained))
    return Reply(retained, isTracked: isTracked, types: types)
  }
}

extension Delivery {
  /// The name of the event's type.
  public var name: String { types.name(of: event.pointee.type) ?? "" }

  /// The name of the scope it was sent through; empty for the context itself.
  public var origin: String {
    var name: UnsafePointer<CChar>?
    mainstem_origin_name(types.home, event.pointee.origin, &name)
    return name.map { String(cString: $0) } ?? ""
  }

  /// The event as one line of text, the same in every language:
  /// `#7 ResponseTodo ok ← #6 ModelServer {"id":3}`.
  public var line: String {
    String(ofC: { mainstem_event_line(event, $0, $1, $2) })
  }
}

extension String {
  /// A text that C writes where it finds room, and counts before that; empty if it cannot.
  init(
    ofC write: (UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<Int>?) -> mainstem_status
  ) {
    var length = 0
    _ = write(nil, 0, &length)
    self = withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
      guard let start = buffer.baseAddress, write(start, buffer.count, nil) == 0 else { return "" }
      return String(cString: start)
    }
  }
}
