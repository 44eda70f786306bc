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
