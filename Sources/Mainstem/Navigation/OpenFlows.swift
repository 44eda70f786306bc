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

  /// The one that a component stands on, as it is now; if it stands on none, the one that was opened last.
  func around(_ component: UInt64) throws(Failure) -> Flow {
    let houses = open.compactMap(\.house)
    guard let last = houses.last else {
      throw Failure("\(Flow.name): it is not open, and this is a route of it", code: .invalid)
    }
    guard houses.count > 1 else { return last.server }
    var number = component
    while let below = try? last.context.navigator.component(number) {
      if let house = houses.first(where: { $0.component == number }) { return house.server }
      number = below.parent
    }
    return last.server
  }
}
