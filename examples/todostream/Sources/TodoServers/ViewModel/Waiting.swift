// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What waits for answers of the model, in the order of the requests.
///
/// An answer goes to the first entry that waits for its subject in its chain of events. If answers stay out, the oldest
/// entry is dropped, so that the list stays bounded.
struct Waiting<Element> {
  private struct Entry {
    let correlation: UInt64
    let subject: String
    let element: Element
  }

  private let limit: Int
  private var entries: [Entry] = []

  init(limit: Int = 1000) { self.limit = limit }

  var count: Int { entries.count }

  mutating func add(_ element: Element, subject: String, correlation: UInt64) {
    if entries.count == limit { entries.removeFirst() }
    entries.append(Entry(correlation: correlation, subject: subject, element: element))
  }

  mutating func take(subject: String, correlation: UInt64) -> Element? {
    let place = entries.firstIndex { $0.correlation == correlation && $0.subject == subject }
    return place.map { entries.remove(at: $0).element }
  }
}
