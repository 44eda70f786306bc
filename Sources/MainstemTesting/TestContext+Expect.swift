// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import Testing

extension TestContext {
  /// The next entry is this event.
  ///
  /// - Parameters:
  ///   - event: What must have happened.
  ///   - sourceLocation: Where the test says so.
  public func expect<E: Event>(_ event: E, sourceLocation: SourceLocation = #_sourceLocation) {
    let expected = shown(event)
    guard let entry = next(expected, sourceLocation) else { return }
    if decoded(E.self, entry) != event { differ(expected, entry, sourceLocation) }
  }

  /// The next entry is a response that failed so.
  ///
  /// - Parameters:
  ///   - failure: What must have gone wrong.
  ///   - sourceLocation: Where the test says so.
  public func expect(_ failure: Failure, sourceLocation: SourceLocation = #_sourceLocation) {
    guard let entry = next("\(failure)", sourceLocation) else { return }
    if entry.failure != failure { differ("\(failure)", entry, sourceLocation) }
  }

  /// The next entry is an event of this type, and no failed response.
  ///
  /// - Parameters:
  ///   - type: Its type.
  ///   - sourceLocation: Where the test says so.
  /// - Returns: The event, to look at it; `nil` after an issue.
  @discardableResult
  public func next<E: Event>(
    _ type: E.Type, sourceLocation: SourceLocation = #_sourceLocation
  ) -> E? {
    guard let entry = next(E.name, sourceLocation) else { return nil }
    let event = decoded(type, entry)
    if event == nil { differ(E.name, entry, sourceLocation) }
    return event
  }

  /// Nothing has happened that is not expected yet.
  ///
  /// - Parameter sourceLocation: Where the test says so.
  public func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) {
    for entry in transcript.rest() { differ("nothing", entry, sourceLocation) }
  }

  /// Forgets what has passed and was not expected: for what a test is not about.
  public func skip() { _ = transcript.rest() }

  /// An event as an issue shows it.
  func shown<E: Event>(_ event: E) -> String {
    "\(E.name) \(E.isSecret ? "<secret>" : "\(event)")"
  }

  private func decoded<E: Event>(_ type: E.Type, _ entry: TestEntry) -> E? {
    guard entry.name == E.name, entry.failure == nil else { return nil }
    return try? E.decoded(from: entry.payload, by: coder)
  }

  private func next(_ expected: String, _ sourceLocation: SourceLocation) -> TestEntry? {
    if let entry = transcript.next() { return entry }
    var text = "nothing more has happened\n  expected   \(expected)"
    if let last = transcript.entries.last { text += "\n  last was   \(last.line)" }
    Issue.record("\(text)", sourceLocation: sourceLocation)
    return nil
  }

  private func differ(_ expected: String, _ entry: TestEntry, _ sourceLocation: SourceLocation) {
    Issue.record(
      """
      another event has happened
        expected   \(expected)
        but it was \(transcript.told(entry))
      """, sourceLocation: sourceLocation)
  }
}
