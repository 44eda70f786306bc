// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// A fetch that is being handled: of which server, for a request of which type. What is asked meanwhile inherits it, and
/// so do the completions of that: see `Fetches`.
package struct Effect {
  package let origin: UInt32
  package let type: UInt32

  package static var none: Effect { Effect(origin: 0, type: 0) }

  /// Whether there is one.
  package var isFetch: Bool { type != 0 }
}

/// What a fetch may not do.
extension Stream {
  /// Whether any handler is a fetch.
  @inline(__always)
  package var hasFetches: Bool {
    state.pointee.delivery.hasFetches.load(ordering: .relaxed)
  }

  /// Refuses a change of a value of the server that fetches, or for which something is asked that fetches. That is a
  /// failed call.
  @inline(__always)
  func demandNoFetch(_ draft: Draft) throws(Refusal) {
    if hasFetches { try demandOtherEffect(draft) }
  }

  @inline(never)
  private func demandOtherEffect(_ draft: Draft) throws(Refusal) {
    guard let frame = Frame.holding(self), draft.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) == 0
    else { return }
    let effect = effect(in: frame, changing: draft)
    guard effect.isFetch else { return }
    var message = SubjectWriter()
    locked {
      message.add(state.pointee.types[draft.type]?.name.bytes ?? Bytes(""))
      message.add(" changes while ")
      message.add(state.pointee.types[effect.type]?.name.bytes ?? Bytes(""))
      message.add(" is handled,")
    }
    let subject = message.bytes
    message.add(" which is a fetch")
    fail(in: frame, Status.invalid.rawValue, message.bytes, of: effect.type)
    throw Refusal(.invalid, "type", "which is a fetch: it changes no value", .name(subject))
  }

  /// The fetch of a value's own server in whose handling it changes.
  private func effect(in frame: UnsafeMutablePointer<Frame>, changing draft: Draft) -> Effect {
    guard let row = frame.pointee.row, row.pointee.call.isShow, let event = frame.pointee.event
    else { return fetches(in: frame).fetch(of: draft.origin) }
    // What a server shows first is no change.
    let wasSet = withValues { values.pointee.find(draft.type, draft.origin)?.pointee.isSet }
    guard wasSet == true else { return .none }
    let shown = row.pointee.scope
    let isOfFetch = locked {
      shown.pointee.origin == draft.origin && isFetch(event.pointee.type, of: shown)
    }
    return isOfFetch
      ? Effect(origin: draft.origin, type: event.pointee.type)
      : inheritedFetches(event).fetch(of: draft.origin)
  }

  /// Whether a server's handler of a type is a fetch. Under the lock.
  private func isFetch(_ type: UInt32, of scope: Scope.Pointer) -> Bool {
    var isFetch = false
    Scope.eachObserver(below: scope) { handler in
      guard handler.pointee.call.isFetch, handler.pointee.scope == scope,
        case .one(type) = handler.pointee.filter
      else { return }
      isFetch = true
    }
    return isFetch
  }

  /// The fetches that a frame's callback is part of.
  package func fetches(in frame: UnsafeMutablePointer<Frame>) -> Fetches {
    guard let event = frame.pointee.event else { return .none }
    let inherited = inheritedFetches(event)
    guard let row = frame.pointee.row, row.pointee.call.isFetch else { return inherited }
    return inherited.entering(
      Effect(origin: row.pointee.scope.pointee.origin, type: event.pointee.type))
  }
}

/// The fetches that something is part of, the innermost first: a fetch that another one asks for hides none of the
/// servers whose values must not change. Each server is there once.
package struct Fetches {
  private var first = Effect.none
  private var second = Effect.none
  private var third = Effect.none
  private var fourth = Effect.none

  /// How many are remembered: of more, the outermost is forgotten.
  private static var most: Int { 4 }

  package static var none: Fetches { Fetches() }

  package var isEmpty: Bool { !first.isFetch }

  /// What is asked in a fetch that is itself part of these.
  package func entering(_ fetch: Effect) -> Fetches {
    var (fetches, carried, place) = (self, fetch, 0)
    while place < Fetches.most, carried.isFetch {
      swap(&fetches[place], &carried)
      // The fetch of this server that was there before.
      if carried.origin == fetch.origin { break }
      place &+= 1
    }
    return fetches
  }

  /// The fetch of a server.
  package func fetch(of origin: UInt32) -> Effect {
    var place = 0
    while place < Fetches.most, self[place].isFetch {
      if self[place].origin == origin { return self[place] }
      place &+= 1
    }
    return .none
  }

  private subscript(place: Int) -> Effect {
    get {
      switch place {
      case 0: first
      case 1: second
      case 2: third
      default: fourth
      }
    }
    set {
      switch place {
      case 0: first = newValue
      case 1: second = newValue
      case 2: third = newValue
      default: fourth = newValue
      }
    }
  }
}
