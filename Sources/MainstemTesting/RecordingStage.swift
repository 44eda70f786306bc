// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

/// A stage for a test: it remembers what it was asked, and answers as its script says.
///
///     let stage = RecordingStage()
///     try stage.add(to: context)
///     stage.script["confirm"] = .later
///     …
///     stage.answer("confirm")
///     #expect(stage.takeCalls() == ["show dialog confirm", "hide confirm"])
public final class RecordingStage {
  /// What it answers when it is asked to show a URL.
  public enum Answer: Sendable {
    /// At once.
    case now
    /// When ``answer(_:failing:)`` says so.
    case later
    /// Not at all.
    case never
    /// With a failure, at once.
    case failure(Failure)
  }

  /// What it answers, by URL. All others are shown at once.
  public var script: [String: Answer] = [:]

  /// The components that it shows, in the order in which they were opened.
  public private(set) var shown: [Component] = []

  private var calls: [String] = []
  private var waiting: [(url: String, reply: StageReply)] = []
  private var unanswered: [StageReply] = []

  /// Makes a stage.
  public init() {}

  /// Adds it to a context that has routes.
  ///
  /// - Parameter context: The context.
  /// - Returns: The stage's scope.
  /// - Throws: The reason it was not added.
  @discardableResult
  public func add(to context: Context) throws(StreamError) -> Context {
    try context.addStage {
      self.show($0, $1)
    } hide: {
      self.hide($0, $1)
    }
  }

  /// What it was asked since the last time, such as `show screen diary/7` and `hide confirm diary/7`.
  ///
  /// - Returns: The calls, in order.
  public func takeCalls() -> [String] {
    defer { calls = [] }
    return calls
  }

  /// Answers what waits for ``Answer/later``.
  ///
  /// - Parameters:
  ///   - url: The URL that is to be shown.
  ///   - failure: What it is answered with; `nil`: it is shown.
  /// - Returns: Whether it has waited.
  @discardableResult
  public func answer(_ url: String, failing failure: Failure? = nil) -> Bool {
    guard let place = waiting.firstIndex(where: { $0.url == url }) else { return false }
    let reply = waiting.remove(at: place).reply
    if let failure { reply.fail(failure) } else { reply.succeed() }
    return true
  }

  private func show(_ component: Component, _ reply: StageReply) {
    calls.append("show \(component.kind) \(component.url)")
    shown.append(component)
    switch script[component.url] ?? .now {
    case .now: reply.succeed()
    case .later: waiting.append((component.url, reply))
    case .never: unanswered.append(reply)
    case .failure(let failure): reply.fail(failure)
    }
  }

  private func hide(_ components: [UInt64], _ reply: StageReply) {
    let urls = components.map { number in
      shown.first { $0.number == number }?.url ?? "\(number)"
    }
    calls.append("hide \(urls.joined(separator: " "))")
    shown.removeAll { components.contains($0.number) }
    reply.succeed()
  }
}
