// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import Testing

/// A context with a transcript: everything that passes must be expected, exactly and in order.
///
/// The clock is virtual, and random numbers are the same in every run. Any difference is an issue
/// of the running test, reported with the events that led to it. When the context is released, any
/// event that was not expected, anything in flight (open requests, posts, timers, events waiting
/// for a scheduler) and anything still subscribed is an issue too. Servers that the test has
/// installed may remain.
///
/// Handlers that await run in the test, too: whenever it sends, expects or moves time, their tasks go on until each has
/// ended or waits. A task that sleeps by the context's clock, `TaskClock`, sleeps until the test moves time.
///
///     let test = TestContext()
///     test.install(TodoServer())
///     test.send(RequestToggle(id: 9))
///     test.expect(RequestToggle(id: 9))
///     test.expect(Failure("UNKNOWN_TODO", userMessage: "It is gone."))
public final class TestContext {
  /// The context itself, for everything the test context does not offer.
  public let context: Context

  let transcript = Transcript()
  let deadlines = Deadlines()
  let coder = JSONCoder()
  var servers: [(scope: Context, handlers: UInt64)] = []
  var stubs: [() -> String?] = []
  /// What was opened is viewed until the end, so that what is subscribed can be counted.
  var views: [TestView] = []
  /// What the navigator has subscribed, if there is a stage: components may be there at the end.
  var navigation: UInt64?
  var kept: (subscriptions: UInt64, timers: UInt64) = (0, 0)
  private let sourceLocation: SourceLocation
  private let subscription: Subscription

  /// Makes a context for a test.
  ///
  /// - Parameters:
  ///   - options: Its options; by default the clock is virtual and the seed fixed.
  ///   - sourceLocation: The place of the call in the test.
  @available(
    *, noasync,
    message:
      "After an await the test may go on on another thread. Use TestContext(on: MainActor.shared) in a @MainActor test."
  )
  public convenience init(
    _ options: ContextOptions = ContextOptions(clock: .virtual, seed: 1),
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.init(Result { () throws(StreamError) in try Context(options) }, on: nil, sourceLocation)
  }

  /// Makes a context for a test that awaits. It belongs to an actor, and drains by itself; time stands still until
  /// the test moves it.
  ///
  ///     @MainActor @Test func `a page comes`() async throws {
  ///       let test = TestContext(on: MainActor.shared)
  ///       test.install(Pages())
  ///       _ = try await test.context.request(RequestPage(address: "tea"))
  ///       test.expect(RequestPage(address: "tea"))
  ///       test.expect(ResponsePage(text: "about tea"))
  ///     }
  ///
  /// - Parameters:
  ///   - actor: The actor: `MainActor.shared` in a `@MainActor` test.
  ///   - options: Its options; by default the clock is virtual and the seed fixed.
  ///   - sourceLocation: The place of the call in the test.
  public convenience init(
    on actor: isolated any Actor,
    _ options: ContextOptions = ContextOptions(clock: .virtual, seed: 1),
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let made: Result<Context, StreamError>
    do throws(StreamError) {
      made = .success(try Context(on: actor, options))
    } catch {
      made = .failure(error)
    }
    self.init(made, on: actor, sourceLocation)
  }

  private init(
    _ made: Result<Context, StreamError>, on actor: (any Actor)?, _ sourceLocation: SourceLocation
  ) {
    self.sourceLocation = sourceLocation
    do {
      context = try made.get()
      context.keepTasks(on: actor)
      context.beginCensus()
      subscription = try context.observe { [transcript] in transcript.append(TestEntry($0)) }
    } catch {
      preconditionFailure("A test context needs the library: \(error)")
    }
  }

  /// Makes a context for a test that is run with several ``seeds(_:)``.
  ///
  /// - Parameters:
  ///   - seed: The seed of random numbers, and of the order between schedulers.
  ///   - sourceLocation: The place of the call in the test.
  public convenience init(seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation) {
    self.init(ContextOptions(clock: .virtual, seed: seed), sourceLocation: sourceLocation)
  }

  deinit {
    let left = left()
    deadlines.removeAll()
    context.leaveTasks()
    if !left.isEmpty {
      let lines = ["something is left at the end of the test"] + left
      Issue.record("\(lines.joined(separator: "\n  "))", sourceLocation: sourceLocation)
    }
  }

  /// Sends an event from outside. It becomes the next entry of the transcript.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - sourceLocation: The place of the call in the test.
  public func send<E: Event>(_ event: E, sourceLocation: SourceLocation = #_sourceLocation) {
    attempt(sourceLocation) { try context.send(event) }
    context.runTasks()
  }
}

/// Makes a call; what it throws is an issue of the test.
func attempt(_ sourceLocation: SourceLocation, _ body: () throws -> Void) {
  do { try body() } catch { Issue.record(error, sourceLocation: sourceLocation) }
}
