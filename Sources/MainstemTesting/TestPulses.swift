// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Mainstem

/// The pulses of one view model, until a test takes them.
final class TestPulses {
  private let owner: Context
  private var told: [TestEntry] = []
  private var subscription: Subscription?

  /// - Parameters:
  ///   - owner: The view model's scope.
  ///   - view: The scope that listens.
  init(of owner: Context, through view: Context) throws(StreamError) {
    self.owner = owner
    subscription = try view.observe(of: owner) { [weak self] delivery in
      let entry = TestEntry(delivery)
      if entry.isOwners { self?.told.append(entry) }
    }
  }

  deinit { subscription?.cancel() }

  func take<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value? {
    guard let place = told.firstIndex(where: { $0.name.hasSuffix(".\(name)") }) else { return nil }
    let entry = told.remove(at: place)
    return try owner.shown(entry.payload, of: entry.name, as: type)
  }
}
