// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What the stream knows of the event that a callback gets. It ends with the callback.
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

  /// The position of the request that it answers; 0 = none.
  public var answers: UInt64 { event.pointee.answers }

  /// Nanoseconds since 1970 when it was accepted; 0 where not asked for.
  public var time: Int64 { event.pointee.time }

  /// ``Status/ok``, or the code of a response that failed.
  public var status: Status { Status(rawValue: event.pointee.status) }

  /// Whether exactly one response will answer it.
  public var isTracked: Bool { event.pointee.flags & UInt32(MAINSTEM_EVENT_TRACKED) != 0 }

  /// Whether it says how far the request that it answers has come, and is not its response.
  public var isProgress: Bool { event.pointee.flags & UInt32(MAINSTEM_EVENT_PROGRESS) != 0 }

  /// Whether it was sent from no callback of its context.
  public var isOutside: Bool { event.pointee.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0 }

  /// Whether it was kept, and comes to an observer that joined after it: ``Context/keepHistory(of:last:maxAge:)``.
  public var isLate: Bool { event.pointee.flags & UInt32(MAINSTEM_EVENT_LATE) != 0 }

  /// Whether its type is a secret: its payload is to be neither shown nor kept.
  public var isSecret: Bool { event.pointee.flags & UInt32(MAINSTEM_EVENT_SECRET) != 0 }

  /// Its payload as it travelled; empty for a response that failed.
  public var payload: [UInt8] { status == .ok ? EventTypes.bytes(of: event.pointee) : [] }

  /// What went wrong, in a response that failed.
  public var failure: Failure? { status == .ok ? nil : Failure(of: event) }

  /// The handle it was observed with: what is sent through it carries the server's name.
  public var context: Context { Context(event.pointee.context, types: types, ownership: .none) }
}
