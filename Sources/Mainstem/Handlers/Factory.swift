// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Makes the owners of a name, as C calls it.
final class Factory: Kept {
  private let name: String
  private let types: EventTypes
  private let make: (Context, borrowing Delivery) throws -> Void

  init(
    _ name: String, _ types: EventTypes,
    _ make: @escaping (Context, borrowing Delivery) throws -> Void
  ) {
    self.name = name
    self.types = types
    self.make = make
  }

  /// Adds it to a scope or a context.
  ///
  /// - Parameter contract: That of what is asked with, without a role.
  func add(to parent: Context, _ contract: mainstem_contract) throws(StreamError) {
    try keep { userData, release in
      mainstem_factory_add(parent.handle, name, contract, Factory.call, userData, release)
    }
  }

  /// Fills a scope; what it throws is the answer.
  private func fill(
    _ scope: OpaquePointer?, _ event: UnsafePointer<mainstem_event>
  ) -> mainstem_status {
    let delivery = Delivery(event, types: types)
    do {
      try make(Context(scope, types: types, ownership: .none), delivery)
      return 0
    } catch {
      let failure =
        delivery.isSecret && !(error is Failure) ? Failure("\(name): <secret>") : Failure(error)
      // Refused: the request has been cancelled meanwhile.
      _ = failure.answer(event)
      return failure.code.rawValue
    }
  }

  private static let call: mainstem_make_fn = { userData, scope, event in
    guard let userData, let event else { return mainstem_status(MAINSTEM_INVALID) }
    // `keep` retains it until the release hook has run.
    return Unmanaged<Factory>.fromOpaque(userData).takeUnretainedValue().fill(scope, event)
  }
}

extension Context {
  /// Keeps what a factory has made until the scope ends.
  func keep<Made>(_ made: Made) throws(StreamError) {
    if made is Void { return }
    // A binding that points nowhere: it needs no rights, and ends with the scope.
    try KeptUntilEnd(made).keep { userData, release in
      let size = MemoryLayout<mainstem_binding_row>.stride
      return mainstem_binding_add(handle, nil, nil, size, 0, userData, release, nil)
    }
  }
}

/// What is kept as long as a scope.
private final class KeptUntilEnd<Made>: Kept {
  private let made: Made

  init(_ made: Made) { self.made = made }
}
