// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The flows of a type that are open in a context, and their table.
final class OpenFlows<Flow: Coordinator> {
  var table: FlowTable<Flow>?
  private var open: [Open] = []

  private struct Open { weak var house: FlowHouse<Flow>? }

  func add(_ house: FlowHouse<Flow>) {
    open.removeAll { $0.house == nil }
    open.append(Open(house: house))
  }

  /// The one that was opened last, as it is now.
  func last() throws(Failure) -> Flow {
    for each in open.reversed() { if let house = each.house { return house.server } }
    throw Failure("\(Flow.name): it is not open, and this is a route of it", code: .invalid)
  }
}
