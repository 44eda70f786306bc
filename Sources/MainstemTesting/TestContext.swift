// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
internal import MainstemJSON
public import Testing

/// A context with a transcript: everything that passes must be expected, exactly and in order.
///
/// What differs, and what nobody has expected when the context is released, is an issue of the
/// running test.
///
///     let test = TestContext()
///     test.install(TodoServer())
///     test.send(RequestToggle(id: 9))
///     test.expect(RequestToggle(id: 9))
///     test.expect(Failure("UNKNOWN_TODO", userText: "It is gone."))
public final class TestContext {
  /// The context itself, for all that the transcript does not do.
  public let context: Context

  private let transcript = Transcript()
  private let coder = JSONCoder()
  private let sourceLocation: SourceLocation
  private let subscription: Subscription

  /// Makes a context of its own for a test.
  ///
  /// - Parameters:
  ///   - options: How it is to be; time is in the test's hands, chance the same each time.
  ///   - sourceLocation: Where the test says so.
  public init(
    _ options: ContextOptions = ContextOptions(clock: .virtual, seed: 1),
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.sourceLocation = sourceLocation
    do {
      context = try Context(options)
      subscription = try context.observe { [transcript] in transcript.append(TestEntry($0)) }
    } catch {
      preconditionFailure("A test context needs the library: \(error)")
    }
  }

  deinit {
    for entry in transcript.rest() {
      Issue.record("Nobody expected \(entry.line)", sourceLocation: sourceLocation)
    }
  }

  /// Gives a server to the context.
  ///
  /// - Parameters:
  ///   - server: The value.
  ///   - sourceLocation: Where the test says so.
  public func install<S: Server>(_ server: S, sourceLocation: SourceLocation = #_sourceLocation) {
    attempt(sourceLocation) { () throws(StreamError) in try context.install(server) }
  }

  /// Sends an event from outside. It is the next entry of the transcript.
  ///
  /// - Parameters:
  ///   - event: What happened, or what is asked.
  ///   - sourceLocation: Where the test says so.
  public func send<E: Event>(_ event: E, sourceLocation: SourceLocation = #_sourceLocation) {
    attempt(sourceLocation) { () throws(StreamError) in try context.send(event) }
  }

  /// Moves the virtual clock on: timers fire in order, each at its own time.
  ///
  /// - Parameters:
  ///   - milliseconds: How far.
  ///   - sourceLocation: Where the test says so.
  public func advance(
    byMs milliseconds: Int64, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    attempt(sourceLocation) { () throws(StreamError) in try context.advance(byMs: milliseconds) }
  }

  /// Asks from outside, and waits for the answer. Both are entries of the transcript.
  ///
  /// - Parameter request: What is asked.
  /// - Returns: The answer or the failure.
  public func request<R: Request>(_ request: R) -> Result<R.Answer, Failure> {
    context.request(request)
  }

  private func attempt(
    _ sourceLocation: SourceLocation, _ body: () throws(StreamError) -> Void
  ) {
    do throws(StreamError) { try body() } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }
}

extension TestContext {
  /// The next entry is this event.
  ///
  /// - Parameters:
  ///   - event: What must have happened.
  ///   - sourceLocation: Where the test says so.
  public func expect<E: Event>(_ event: E, sourceLocation: SourceLocation = #_sourceLocation) {
    let expected = "\(E.name) \(event)"
    guard let entry = next(expected, sourceLocation) else { return }
    let isEqual =
      entry.name == E.name && entry.failure == nil
      && (try? E.decoded(from: entry.payload, by: coder)) == event
    if !isEqual { differ(expected, entry, sourceLocation) }
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

  /// Nothing has happened that is not expected yet.
  ///
  /// - Parameter sourceLocation: Where the test says so.
  public func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) {
    for entry in transcript.rest() { differ("nothing", entry, sourceLocation) }
  }

  private func next(_ expected: String, _ sourceLocation: SourceLocation) -> TestEntry? {
    if let entry = transcript.next() { return entry }
    Issue.record("Expected \(expected), but nothing happened", sourceLocation: sourceLocation)
    return nil
  }

  private func differ(_ expected: String, _ entry: TestEntry, _ sourceLocation: SourceLocation) {
    Issue.record("Expected \(expected), but it was \(entry.line)", sourceLocation: sourceLocation)
  }
}
