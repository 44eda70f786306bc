// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// The host's function that a replay asks for a secret's content, which no journal has.
package struct SecretResolver {
  package var function: mainstem_event_fn?
  package var userData: UnsafeMutableRawPointer?
  package var release: mainstem_release_fn?

  package init() {}

  /// Calls the release hook. Called by the deliverer, with no lock held.
  func release(on stream: Stream) {
    guard let release else { return }
    Frame.enter(stream, nil) { _ in release(userData) }
  }
}

/// The content of a secret, as the host supplies it.
package struct SuppliedSecret {
  /// The request that it answers; 0: not given.
  package var answers: UInt64 = 0
  package var data: UnsafeRawPointer?
  package var size = 0
  /// The error of a failed response, in place of a payload.
  package var error: ErrorValue?

  package init() {}
}

/// The host's calls about secrets.
extension Replay {
  /// Sets the function to ask from now on; a nil function: nobody is asked.
  package static func onSecret(_ handle: Handle, _ resolver: SecretResolver) throws(Refusal) {
    let resolved = try ResolvedHandle.blocking(handle, .replay, "replay")
    try resolved.feeding { stream throws(Refusal) in
      let replay = try resolved.replay()
      let former = replay.pointee.resolver
      replay.pointee.resolver = resolver
      former.release(on: stream)
    }
  }

  /// Supplies the secret being asked for. Called on the thread that is asked, which holds the delivery lock.
  package static func supply(_ handle: Handle, _ secret: SuppliedSecret) throws(Refusal) {
    let resolved = try ResolvedHandle(handle, .replay, "replay")
    guard Frame.holding(resolved.stream) != nil else { throw .askedForNothing }
    let replay = try resolved.replay()
    guard let asked = replay.pointee.asked else { throw .askedForNothing }
    let known = try replay.pointee.event(of: asked, with: secret)
    QueuedEvent.free(replay.pointee.answer)
    replay.pointee.answer = known
  }

  /// The withheld event with its content.
  private func event(
    of asked: QueuedEvent.Pointer, with secret: SuppliedSecret
  ) throws(Refusal) -> QueuedEvent.Pointer {
    let type = asked.pointee.event.type
    let contract = stream.contract(of: type)
    let isStep = asked.pointee.event.flags & UInt32(MAINSTEM_EVENT_PROGRESS) != 0
    guard secret.answers == 0 || contract.role == .response || isStep,
      secret.answers < asked.pointee.event.position
    else {
      throw Refusal(.invalid, "secret.answers", "is not a request that this event can answer")
    }
    if secret.error == nil {
      guard stream.state.pointee.admissions.allows(secret.size),
        contract.admits(secret.data, secret.size)
      else {
        throw stream.refusal(type, secret.data, secret.size)
      }
    } else if contract.role != .response {
      throw Refusal(.invalid, "secret.error", "is not for this event: only a response can fail")
    }
    guard let queued = QueuedEvent.make(capacity: secret.error?.packedSize ?? secret.size) else {
      throw .noMemory
    }
    queued.pointee.event = asked.pointee.event
    queued.pointee.event.flags &= ~UInt32(MAINSTEM_EVENT_WITHHELD)
    queued.pointee.event.answers = secret.answers
    secret.write(to: queued)
    return queued
  }
}

extension Replay.Pointer {
  /// Asks the host for a secret; nil: the host does not know it. Called by the deliverer, with no lock held.
  func ask(of withheld: QueuedEvent.Pointer) -> QueuedEvent.Pointer? {
    let (stream, resolver) = (pointee.stream, pointee.resolver)
    let event = QueuedEvent.event(of: withheld)
    guard let function = resolver.function,
      event.pointee.flags & UInt32(MAINSTEM_EVENT_WITHHELD) != 0,
      stream.contract(of: event.pointee.type).isSecret
    else { return nil }
    event.pointee.context = stream.locked {
      stream.state.pointee.scopes.root?.pointee.handle.pointer
    }
    pointee.asked = withheld
    Frame.enter(stream, nil) { _ in function(resolver.userData, event) }
    pointee.asked = nil
    let known = pointee.answer
    pointee.answer = nil
    if known != nil { pointee.supplied &+= 1 }
    return known
  }
}

extension SuppliedSecret {
  /// Writes the payload or the error into memory that has room for it, and that is overwritten when it is freed.
  fileprivate func write(to queued: QueuedEvent.Pointer) {
    let payload = QueuedEvent.payload(of: queued)
    if let error {
      error.pack(into: payload, isSecret: true)
    } else if let data, size > 0 {
      Memory.copy(size, from: data, to: payload, isSecret: true)
    }
    QueuedEvent.noteSecret(payload, in: queued, isSecret: true)
    let code = error?.code ?? 0
    queued.pointee.event.status = code
    queued.pointee.event.size = UInt32(truncatingIfNeeded: queued.pointee.capacity)
    queued.pointee.event.data = UnsafeRawPointer(payload)
    queued.pointee.event.user_message = ErrorValue.text(
      ofPayload: UnsafeRawPointer(payload), status: code)
  }
}

extension Refusal {
  fileprivate static var askedForNothing: Refusal {
    Refusal(.invalid, "replay", "is not asking this thread for a secret")
  }
}
