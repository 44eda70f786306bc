// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// What may be done through a scope, by layers: one bit for each. Rights only narrow from a scope to its children.
package struct Rights: Equatable {
  /// The layers it may send to, and register types in.
  package let send: UInt64
  /// The layers it may observe, and handle.
  package let observe: UInt64

  package init(send: UInt64, observe: UInt64) {
    self.send = send
    self.observe = observe
  }

  /// The rights of a context.
  package static var all: Rights { Rights(send: .max, observe: .max) }

  package func narrowed(by other: Rights) -> Rights {
    Rights(send: send & other.send, observe: observe & other.observe)
  }

  /// Whether they allow nothing that others do not.
  func areWithin(_ others: Rights) -> Bool { narrowed(by: others) == self }

  package func allow(_ act: Act, _ layer: UInt32) -> Bool {
    let layers = act == .observe || act == .handle ? observe : send
    return layers & (1 << UInt64(layer & 63)) != 0
  }
}

/// What a scope needs a right for.
package enum Act {
  case send
  case request
  case respond
  case observe
  /// Handling a type in a server: the type is observed.
  case handle
  /// Registering an event type.
  case register
  /// Adding a layer: no limited scope may.
  case add

  package var name: Phrase {
    switch self {
    case .send: "send"
    case .request: "request"
    case .respond: "respond"
    case .observe: "observe"
    case .handle: "handle"
    case .register: "register"
    case .add: "add"
    }
  }
}

/// Rights: what a limited scope may not do is refused, counted and reported.
extension Stream {
  /// Refuses what the scope through which an event was observed may not do with the events of a type.
  ///
  /// - Returns: The scope's origin.
  package func demand(
    _ act: Act, of type: UInt32, through event: UnsafePointer<mainstem_event>
  ) throws(Refusal) -> UInt32 {
    let origin = Stream.origin(through: event)
    // Most contexts have no limited scope and skip the check.
    if state.pointee.scopes.areLimited { try demand(act, of: type, for: origin) }
    return origin
  }

  /// Refuses what a scope may not do with the events of a type.
  fileprivate func demand(_ act: Act, of type: UInt32, for origin: UInt32) throws(Refusal) {
    let layer = contract(of: type).layer
    let rights = locked { state.pointee.scopes.origins.rights(of: origin) }
    guard !rights.allow(act, layer) else { return }
    throw deny(Denial(act: act, origin: origin, layer: layer, type: type))
  }

  /// Counts a denial, and reports the 1st, 2nd, 4th, 8th … of its scope.
  func deny(_ denial: Denial) -> Refusal {
    state.pointee.scopes.countDenial()
    var denial = denial
    denial.count = locked { state.pointee.scopes.origins.deny(denial.origin) }
    if denial.count > 0, isTold(denial.count) { report(state.pointee.reports.own.denied, denial) }
    // After the report: its observers may have been refused something too.
    return locked { refusal(of: denial) }
  }

  private func refusal(of denial: Denial) -> Refusal {
    guard denial.count > 0, state.pointee.scopes.root != nil else { return .closed }
    var subject = SubjectWriter()
    subject.add("scope ")
    subject.add(state.pointee.scopes.origins[denial.origin] ?? Bytes(""))
    subject.add(" may not ")
    subject.add(denial.act.name)
    if denial.act != .add {
      subject.add(" ")
      subject.add(denial.typeName(in: self))
    }
    subject.add(": layer ")
    subject.add(denial.layerName(in: self))
    let reason: Phrase =
      denial.act == .add
      ? "is outside its rights; add it through the context"
      : "is outside its rights; allow it where the scope is added"
    return Refusal(.denied, "context", reason, .name(subject.bytes))
  }
}

extension ResolvedHandle {
  /// Refuses what this scope may not do with the events of a type.
  @inline(__always)
  package func demand(_ act: Act, of type: UInt32) throws(Refusal) {
    if isLimited { try stream.demand(act, of: type, for: origin) }
  }

  private var rights: Rights {
    isLimited ? stream.locked { stream.state.pointee.scopes.origins.rights(of: origin) } : .all
  }

  /// The rights of a child for which its options name none.
  package var unnamedRights: Rights {
    stream.state.pointee.admissions.limits.deniesByDefault ? Rights(send: 0, observe: 0) : .all
  }

  /// The layers this scope may send to.
  package var sendableLayers: UInt64 { rights.send }

  /// The layers this scope may observe.
  package var observableLayers: UInt64 { rights.observe }

  /// Refuses to register a type that this scope may not send. A type that is already registered is found.
  package func demandRegistration(
    of name: Bytes, _ contract: UInt64, response: Bytes?
  ) throws(Refusal) {
    guard isLimited else { return }
    let layer = Contract(bits: contract).layer
    let isAllowed = stream.locked {
      stream.state.pointee.scopes.origins.rights(of: origin).allow(.register, layer)
        || stream.state.pointee.types.isKnown(name, response: response)
    }
    guard !isAllowed else { return }
    throw stream.deny(
      Denial(act: .register, origin: origin, layer: layer, type: 0, newName: name))
  }

  /// Refuses to add a layer. A layer that exists is found.
  package func demandAddition(ofLayer name: Bytes) throws(Refusal) {
    guard isLimited else { return }
    guard stream.locked({ stream.state.pointee.layers.find(name) == nil }) else { return }
    throw stream.deny(Denial(act: .add, origin: origin, layer: 0, type: 0, newName: name))
  }
}

/// The content of a "MainstemDenied" event.
package struct Denial: Report {
  package let act: Act
  package let origin: UInt32
  package let layer: UInt32
  package let type: UInt32
  /// The name of a type or layer that is not registered.
  package var newName: Bytes?
  package fileprivate(set) var count: UInt64 = 0

  package func write(_ stream: Stream, to writer: inout JSONWriter) {
    writer.open()
    writer.member("origin", stream.state.pointee.scopes.origins[origin] ?? Bytes(""))
    writer.member("what", act.name.bytes)
    writer.member("type", typeName(in: stream))
    writer.member("layer", layerName(in: stream))
    writer.member("count", Int64(clamping: count))
    writer.close()
  }

  fileprivate func typeName(in stream: Stream) -> Bytes {
    if act == .add { return Bytes("") }
    return newName ?? stream.state.pointee.types[type]?.name.bytes ?? Bytes("")
  }

  fileprivate func layerName(in stream: Stream) -> Bytes {
    if act == .add { return newName ?? Bytes("") }
    return stream.state.pointee.layers.name(of: layer)
  }
}
