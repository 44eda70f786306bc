// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Whom a replay asks what a secret carried: a journal does not have it.
package struct SecretResolver {
  package var function: mainstem_event_fn?
  package var userData: UnsafeMutableRawPointer?
  package var release: mainstem_release_fn?

  package init() {}

  /// It will not be asked again. The holder; no lock held.
  func release(on stream: Stream) {
    guard let release else { return }
    Frame.enter(stream, nil) { _ in release(userData) }
  }
}

/// What a secret carried, as a host says it.
package struct SuppliedSecret {
  /// The request that it answers; 0: not said.
  package var answers: UInt64 = 0
  package var data: UnsafeRawPointer?
  package var size = 0
  /// Of a failed response, in place of a payload.
  package var error: ErrorValue?

  package init() {}
}

/// What a host does about secrets.
extension Replay {
  /// Says whom to ask from now on; nil functions: nobody.
  package static func onSecret(_ handle: Handle, _ resolver: SecretResolver) throws(Refusal) {
    let entrance = try Entrance.waiting(handle, .replay, "replay")
    try entrance.feeding { stream throws(Refusal) in
      let replay = try entrance.replay()
      let former = replay.pointee.resolver
      replay.pointee.resolver = resolver
      former.release(on: stream)
    }
  }

  /// Says what the secret carried that is asked for. On the thread that is asked, which holds the claim.
  package static func supply(_ handle: Handle, _ secret: SuppliedSecret) throws(Refusal) {
    let entrance = try Entrance(handle, .replay, "replay")
    guard Frame.holding(entrance.stream) != nil else { throw .askedForNothing }
    let replay = try entrance.replay()
    guard let asked = replay.pointee.asked else { throw .askedForNothing }
    let known = try replay.pointee.event(of: asked, with: secret)
    KeptEvent.free(replay.pointee.answer)
    replay.pointee.answer = known
  }

  /// The event that was withheld, with what it carried.
  private func event(
    of asked: KeptEvent.Pointer, with secret: SuppliedSecret
  ) throws(Refusal) -> KeptEvent.Pointer {
    let type = asked.pointee.event.type
    let contract = stream.contract(of: type)
    let isStep = asked.pointee.event.flags & UInt32(MAINSTEM_EVENT_PROGRESS) != 0
    guard secret.answers == 0 || contract.role == .response || isStep,
      secret.answers < asked.pointee.event.position
    else { throw Refusal(.invalid, "secret.answers", "is no request that this event can answer") }
    if secret.error == nil {
      guard stream.allows(secret.size), contract.admits(secret.data, secret.size) else {
        throw stream.refusal(type, secret.data, secret.size)
      }
    } else if contract.role != .response {
      throw Refusal(.invalid, "secret.error", "is not for this event: only a response fails")
    }
    guard let kept = KeptEvent.make(capacity: secret.error?.packedSize ?? secret.size) else {
      throw .noMemory
    }
    kept.pointee.event = asked.pointee.event
    kept.pointee.event.flags &= ~UInt32(MAINSTEM_EVENT_WITHHELD)
    kept.pointee.event.answers = secret.answers
    secret.write(to: kept)
    return kept
  }
}

extension Replay.Pointer {
  /// Asks the host for a secret; nil: nobody knows it. The holder; no lock held.
  func ask(of withheld: KeptEvent.Pointer) -> KeptEvent.Pointer? {
    let (stream, resolver) = (pointee.stream, pointee.resolver)
    let event = KeptEvent.event(of: withheld)
    guard let function = resolver.function,
      event.pointee.flags & UInt32(MAINSTEM_EVENT_WITHHELD) != 0,
      stream.contract(of: event.pointee.type).isSecret
    else { return nil }
    event.pointee.context = stream.locked { stream.state.pointee.root?.pointee.handle.pointer }
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
  /// Writes payload or error into memory that has room for it, and will be overwritten in the end.
  fileprivate func write(to kept: KeptEvent.Pointer) {
    let payload = KeptEvent.payload(of: kept)
    if let error {
      error.pack(into: payload, isSecret: true)
    } else if let data, size > 0 {
      Memory.copy(size, from: data, to: payload, isSecret: true)
    }
    KeptEvent.note(payload, in: kept, isSecret: true)
    let code = error?.code ?? 0
    kept.pointee.event.status = code
    kept.pointee.event.size = UInt32(truncatingIfNeeded: kept.pointee.capacity)
    kept.pointee.event.data = UnsafeRawPointer(payload)
    kept.pointee.event.text = ErrorValue.text(ofPayload: UnsafeRawPointer(payload), status: code)
  }
}

extension Refusal {
  fileprivate static var askedForNothing: Refusal {
    Refusal(.invalid, "replay", "asks this thread for no secret now")
  }
}
