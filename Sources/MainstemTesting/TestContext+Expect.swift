// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import Testing

extension TestContext {
  /// The next event must be this one.
  ///
  /// - Parameters:
  ///   - event: The expected event.
  ///   - sourceLocation: The place of the call in the test.
  public func expect<E: Event>(_ event: E, sourceLocation: SourceLocation = #_sourceLocation) {
    let found = find(shown(event), E.name, sourceLocation) { decoded(E.self, $0) == event }
    if found != nil { check(E.self, sourceLocation) }
  }

  /// The next event must be a failed response with this failure.
  ///
  /// - Parameters:
  ///   - failure: The expected failure.
  ///   - sourceLocation: The place of the call in the test.
  public func expect(_ failure: Failure, sourceLocation: SourceLocation = #_sourceLocation) {
    _ = find("\(failure)", nil, sourceLocation) { $0.failure == failure }
  }

  /// The next event must be of this type, and not a failed response.
  ///
  /// - Parameters:
  ///   - type: Its type.
  ///   - sourceLocation: The place of the call in the test.
  /// - Returns: The event, for a closer look; `nil` after an issue.
  @discardableResult
  public func next<E: Event>(
    _ type: E.Type, sourceLocation: SourceLocation = #_sourceLocation
  ) -> E? {
    let entry = find(E.name, E.name, sourceLocation) { decoded(type, $0) != nil }
    guard let entry, check(type, sourceLocation) else { return nil }
    return decoded(type, entry)
  }

  /// Everything that has happened must have been expected by now.
  ///
  /// - Parameter sourceLocation: The place of the call in the test.
  public func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) {
    context.runTasks()
    differ("nothing", transcript.rest(), sourceLocation)
  }

  /// Skips all events not expected so far: for what a test is not about.
  public func skip() {
    context.runTasks()
    _ = transcript.rest()
  }

  /// The text that shows an event in an issue.
  func shown<E: Event>(_ event: E) -> String {
    "\(E.name) \(E.isSecret ? "<secret>" : "\(event)")"
  }

  private func decoded<E: Event>(_ type: E.Type, _ entry: TestEntry) -> E? {
    guard entry.name == E.name, entry.failure == nil else { return nil }
    if let rows = entry.rows { return rows.decoded(type) }
    return try? E.decoded(from: entry.payload, by: coder)
  }

  /// Another type of that name is not the one that has happened.
  @discardableResult
  private func check<E: Event>(_ type: E.Type, _ sourceLocation: SourceLocation) -> Bool {
    do throws(StreamError) { try context.register(type) } catch {
      // The test may have closed its context.
      guard error.status == .invalid else { return true }
      Issue.record(error, sourceLocation: sourceLocation)
      return false
    }
    return true
  }

  /// Finds an expected event. One issue tells what else has happened; what follows from that is no issue of its own.
  private func find(
    _ expected: String, _ name: String?, _ sourceLocation: SourceLocation,
    _ matches: (TestEntry) -> Bool
  ) -> TestEntry? {
    context.runTasks()
    switch transcript.find(name, matches) {
    case .next(let entry): return entry
    case .later(let entry, let others):
      differ(expected, others, sourceLocation, then: "and then what was expected")
      return entry
    case .other(let entry?): differ(expected, [entry], sourceLocation)
    case .other(nil):
      var text = "nothing more has happened\n  expected   \(expected)"
      if let last = transcript.entries.last { text += "\n  last was   \(last.line)" }
      Issue.record("\(text)", sourceLocation: sourceLocation)
    case .lost: break
    }
    return nil
  }

  private func differ(
    _ expected: String, _ entries: [TestEntry], _ sourceLocation: SourceLocation,
    then: String? = nil
  ) {
    guard let first = entries.first else { return }
    var lines = [
      "\(entries.count == 1 ? "another event has" : "\(entries.count) other events have") happened",
      "expected   \(expected)", "but it was \(transcript.told(first))",
    ]
    lines += entries.dropFirst().map { "and        \(transcript.told($0))" }
    if let then { lines.append(then) }
    Issue.record("\(lines.joined(separator: "\n  "))", sourceLocation: sourceLocation)
  }
}
