// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
