// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
internal import MainstemJSON
public import Testing

/// A context with a transcript: everything that passes must be expected, exactly and in order.
///
/// Time is virtual, chance the same each time. What differs is an issue of the running test, told
/// with the events that led to it; so is, when the context is released, what nobody has expected,
/// what is in flight (open requests, posts, timers, events that wait for a scheduler), and who is
/// still subscribed. Servers that the test has installed may be there.
///
///     let test = TestContext()
///     test.install(TodoServer())
///     test.send(RequestToggle(id: 9))
///     test.expect(RequestToggle(id: 9))
///     test.expect(Failure("UNKNOWN_TODO", userText: "It is gone."))
public final class TestContext {
  /// The context itself, for all that the transcript does not do.
  public let context: Context

  let transcript = Transcript()
  let deadlines = Deadlines()
  let coder = JSONCoder()
  var servers: [(scope: Context, handlers: UInt64)] = []
  var stubs: [() -> String?] = []
  var kept: (subscriptions: UInt64, timers: UInt64) = (0, 0)
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

  /// Makes a context of its own for a test that is run with several ``seeds(_:)``.
  ///
  /// - Parameters:
  ///   - seed: What chance, and the order between schedulers, begin with.
  ///   - sourceLocation: Where the test says so.
  public convenience init(seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation) {
    self.init(ContextOptions(clock: .virtual, seed: seed), sourceLocation: sourceLocation)
  }

  deinit {
    let left = left()
    deadlines.removeAll()
    if !left.isEmpty {
      let lines = ["something is left at the end of the test"] + left
      Issue.record("\(lines.joined(separator: "\n  "))", sourceLocation: sourceLocation)
    }
  }

  /// Sends an event from outside. It is the next entry of the transcript.
  ///
  /// - Parameters:
  ///   - event: What happened, or what is asked.
  ///   - sourceLocation: Where the test says so.
  public func send<E: Event>(_ event: E, sourceLocation: SourceLocation = #_sourceLocation) {
    attempt(sourceLocation) { () throws(StreamError) in try context.send(event) }
  }

  func attempt(_ sourceLocation: SourceLocation, _ body: () throws(StreamError) -> Void) {
    do throws(StreamError) { try body() } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }
}
