// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Shows components, and hides them: the host's side of navigation.
///
///     final class Window: Stage {
///       func show(_ component: Component) throws { … }
///       func hide(_ components: [UInt64]) throws { … }
///     }
///
///     try context.addStage(Window())
///     try context.navigator.ready()
///
/// It is called when the context drains; to return is to answer. What it does is no part of the session: a replay calls it
/// for what has changed, verify does not. What it throws in a replay answers nobody: it counts as a failed callback
/// (``Stats/failures``).
public protocol Stage {
  /// Shows a component.
  ///
  /// - Parameter component: What is to be shown, and where.
  /// - Throws: Why not: the component is closed, and whoever opened it gets that as the answer.
  func show(_ component: Component) throws

  /// Hides components that close together.
  ///
  /// - Parameter components: Their numbers, the last opened first.
  /// - Throws: What went wrong, which is reported. They are closed all the same.
  func hide(_ components: [UInt64]) throws
}

/// A stage that may await: an animation, another process. Its methods run on no actor, unless it says so.
///
///     @MainActor final class Window: AsyncStage { … }
///
/// In a replay nobody waits for them: what they throw there is for `failed` of ``Context/addStage(_:failed:)``.
public protocol AsyncStage: Sendable {
  /// Shows a component; it is shown when this returns.
  ///
  /// - Parameter component: What is to be shown, and where.
  /// - Throws: Why not: the component is closed, and whoever opened it gets that as the answer.
  func show(_ component: Component) async throws

  /// Hides components that close together.
  ///
  /// - Parameter components: Their numbers, the last opened first.
  /// - Throws: What went wrong, which is reported. They are closed all the same.
  func hide(_ components: [UInt64]) async throws
}

// MARK: - Adding a stage

extension Context {
  /// Adds the stage, which shows and hides what the navigator opens and closes.
  ///
  /// - Parameter stage: The stage. The context keeps it.
  /// - Returns: Its scope; closing it ends the stage.
  /// - Throws: ``Status/invalid`` if there are no routes yet; another reason it was not added.
  @discardableResult
  public func addStage(_ stage: some Stage) throws(StreamError) -> Context {
    try addStage { component, reply in
      try stage.show(component)
      reply.succeed()
    } hide: { components, reply in
      try stage.hide(components)
      reply.succeed()
    }
  }

  /// Adds a stage that awaits.
  ///
  /// - Parameters:
  ///   - stage: The stage. The context keeps it.
  ///   - failed: Gets what the stage throws in a replay, where nobody waits for an answer; on any thread.
  /// - Returns: Its scope; closing it ends the stage.
  /// - Throws: ``Status/invalid`` if there are no routes yet; another reason it was not added.
  @discardableResult
  public func addStage(
    _ stage: some AsyncStage, failed: (@Sendable (any Error) -> Void)? = nil
  ) throws(StreamError) -> Context {
    let replayed = ReplayedWork()
    return try addStage { component, reply in
      replayed.begin(reply) { await reply.conclude(failed) { try await stage.show(component) } }
    } hide: { components, reply in
      replayed.begin(reply) { await reply.conclude(failed) { try await stage.hide(components) } }
    }
  }

  /// Adds a stage of two functions, which answer when they like, or throw.
  @discardableResult
  package func addStage(
    show: @escaping (Component, StageReply) throws -> Void,
    hide: @escaping ([UInt64], StageReply) throws -> Void
  ) throws(StreamError) -> Context {
    let showing = try types.number(of: ShowRequest.self)
    let callback = Callback(types) { delivery in
      if delivery.event.pointee.type == showing {
        let component = try delivery.shown()
        try delivery.stageReply(to: ShowRequest.self).failing { try show(component, $0) }
      } else {
        let components = try delivery.hidden()
        try delivery.stageReply(to: HideRequest.self).failing { try hide(components, $0) }
      }
    }
    var stage: OpaquePointer?
    try callback.keep { userData, release in
      CStrings([ShowRequest.name, HideRequest.name]).withPointers { names in
        let rows = names.map { mainstem_handler_row(type: $0, fn: Callback.call, flags: 0) }
        return mainstem_stage_add(
          handle, rows, MemoryLayout<mainstem_handler_row>.stride, rows.count, userData, release,
          &stage)
      }
    }
    return Context(stage, types: types, ownership: .none)
  }
}

extension StageReply {
  /// Does what is to be answered. An error is the answer; in a replay, where nobody waits for one, it is the callback's.
  fileprivate func failing(_ body: (StageReply) throws -> Void) throws {
    do { try body(self) } catch {
      guard isAwaited else { throw error }
      fail(Failure(error))
    }
  }

  fileprivate func conclude(
    _ failed: (@Sendable (any Error) -> Void)?, _ body: () async throws -> Void
  ) async {
    do {
      try await body()
      succeed()
    } catch {
      if isAwaited { fail(Failure(error)) } else { failed?(error) }
    }
  }
}

/// The work of a stage that awaits. In a replay nobody waits for an answer, so one begins after the other.
private final class ReplayedWork {
  private var last: Task<Void, Never>?

  func begin(_ reply: StageReply, _ work: @escaping @Sendable () async -> Void) {
    let before = reply.isAwaited ? nil : last
    last = Task {
      await before?.value
      await work()
    }
  }
}

extension Delivery {
  /// How a stage answers. In a replay it is told what has happened, and nobody waits.
  fileprivate func stageReply<R: StageRequest>(to type: R.Type) throws(StreamError) -> StageReply {
    isTracked ? StageReply(try reply(to: type)) : .none
  }

  /// What a stage is to show.
  fileprivate func shown() throws(StreamError) -> Component {
    try Component { mainstem_show_read(event, $0, $1, $2) }
  }

  /// What a stage is to hide.
  fileprivate func hidden() throws(StreamError) -> [UInt64] {
    try [UInt64](ofC: { mainstem_hide_read(event, $0, $1, $2) })
  }
}

// MARK: - What it is asked, and answers

/// What a stage answers, once, from any thread.
package struct StageReply: Sendable {
  private let settle: (@Sendable (Failure?) -> Void)?

  /// In a replay nobody waits for it.
  static let none = StageReply()

  private init() { settle = nil }

  init<R: StageRequest>(_ reply: Reply<R>) {
    // Refused: it was too late, and a hide follows.
    settle = { failure in
      if let failure { try? reply.fail(failure) } else { try? reply.respond(R.Answer()) }
    }
  }

  /// Whether anybody waits for it.
  var isAwaited: Bool { settle != nil }

  /// Answers that it is done.
  package func succeed() { settle?(nil) }

  /// Answers that it cannot be done.
  package func fail(_ failure: Failure) { settle?(failure) }
}

/// What the navigator asks its stage: read by functions of C, not decoded.
protocol StageRequest: Request where Answer: StageAnswer {}

protocol StageAnswer: Response { init() }

struct ShowRequest: StageRequest {
  typealias Answer = ShowAnswer
  static let name: String = "MainstemShow"
  static let layer: Layer = .navigation
}

struct ShowAnswer: StageAnswer {
  static let name: String = "MainstemShown"
  static let layer: Layer = .navigation
}

struct HideRequest: StageRequest {
  typealias Answer = HideAnswer
  static let name: String = "MainstemHide"
  static let layer: Layer = .navigation
}

struct HideAnswer: StageAnswer {
  static let name: String = "MainstemHidden"
  static let layer: Layer = .navigation
}
