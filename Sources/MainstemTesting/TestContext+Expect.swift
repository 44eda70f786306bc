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
    let expected = shown(event)
    guard let entry = next(expected, sourceLocation) else { return }
    if decoded(E.self, entry) != event { differ(expected, entry, sourceLocation) }
  }

  /// The next event must be a failed response with this failure.
  ///
  /// - Parameters:
  ///   - failure: The expected failure.
  ///   - sourceLocation: The place of the call in the test.
  public func expect(_ failure: Failure, sourceLocation: SourceLocation = #_sourceLocation) {
    guard let entry = next("\(failure)", sourceLocation) else { return }
    if entry.failure != failure { differ("\(failure)", entry, sourceLocation) }
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
    guard let entry = next(E.name, sourceLocation) else { return nil }
    let event = decoded(type, entry)
    if event == nil { differ(E.name, entry, sourceLocation) }
    return event
  }

  /// Everything that has happened must have been expected by now.
  ///
  /// - Parameter sourceLocation: The place of the call in the test.
  public func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) {
    for entry in transcript.rest() { differ("nothing", entry, sourceLocation) }
  }

  /// Skips all events not expected so far: for what a test is not about.
  public func skip() { _ = transcript.rest() }

  /// The text that shows an event in an issue.
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
