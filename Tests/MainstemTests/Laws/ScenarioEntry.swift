// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// An event as its observer got it: `a 3 Notice "hello" cause 1`.
///
/// A delivery reads names from its scope, on the context's own thread: elsewhere the type is given.
func entry(_ name: String, _ delivery: borrowing Delivery, type: String? = nil) -> String {
  // Only the scope of an answer may have ended by then.
  let known = delivery.name.isEmpty ? ScenarioStage.ResponseAnswer.name : delivery.name
  let type = type ?? known
  var words = [name, "\(delivery.position)", type]
  if let failure = delivery.failure {
    words.append("\(failure.code)")
    if failure.code.rawValue >= Status.app.rawValue { words.append("\"\(failure.message)\"") }
  } else if !delivery.payload.isEmpty {
    let text = String(decoding: delivery.payload, as: UTF8.self)
    words.append(text.hasPrefix("{") ? text : "\"\(text)\"")
  }
  if delivery.cause != 0 { words.append("cause \(delivery.cause)") }
  if delivery.answers != 0 { words.append("answers \(delivery.answers)") }
  if delivery.cause != 0 && delivery.isOutside { words.append("outside") }
  if delivery.isProgress { words.append("progress") }
  if delivery.isLate { words.append("late") }
  return words.joined(separator: " ")
}

/// Does something when the library releases the closure that holds it.
final class ReleaseTag {
  private let body: () -> Void
  private var isTaken = true

  init(_ body: @escaping () -> Void) { self.body = body }
  deinit { if isTaken { body() } }
  func touch() {}

  /// Registers the closure. If that is refused, there is nothing to release.
  func taken<Registered>(_ register: () throws -> Registered) throws -> Registered {
    do { return try register() } catch {
      isTaken = false
      throw error
    }
  }
}

/// A server with one handler, whose answers are steps.
struct PlayedServer<E: Event>: Server {
  let body: (borrowing Delivery) -> Void
  static func handlers(_ on: inout Handlers<Self>) {
    on.event(E.self) { server, _, delivery in
      server.body(delivery)
      return []
    }
  }
}

/// The same, beside others.
struct BesideServer<E: Event>: Server {
  let played: PlayedServer<E>
  static func handlers(_ on: inout Handlers<Self>) {
    on.several { on in
      on.event(E.self) { server, _, delivery in
        server.played.body(delivery)
        return []
      }
    }
  }
}

/// The same, for what is sent through it, beside others.
struct OwnBesideServer<E: Event>: Server {
  let played: PlayedServer<E>
  static func handlers(_ on: inout Handlers<Self>) {
    on.several { on in
      on.own { own in
        own.event(E.self) { server, _, delivery in
          server.played.body(delivery)
          return []
        }
      }
    }
  }
}

/// The same, for what is sent through it.
struct OwnServer<E: Event>: Server {
  let played: PlayedServer<E>
  static func handlers(_ on: inout Handlers<Self>) {
    on.own { own in
      own.event(E.self) { server, _, delivery in
        server.played.body(delivery)
        return []
      }
    }
  }
}
