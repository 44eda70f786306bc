// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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
    let types = types
    let showing = try types.number(of: ShowRequest.self)
    let callback = Callback { event in
      let delivery = Delivery(event, types: types)
      do {
        if event.pointee.type == showing {
          let component = try delivery.shown()
          try delivery.stageReply(to: ShowRequest.self).failing { try show(component, $0) }
        } else {
          let components = try delivery.hidden()
          try delivery.stageReply(to: HideRequest.self).failing { try hide(components, $0) }
        }
      } catch {
        delivery.fail(Failure(error))
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
    var count = 0
    let status = mainstem_hide_read(event, nil, 0, &count)
    if status != Status.tooBig.rawValue { try StreamError.check(status) }
    var components = [UInt64](repeating: 0, count: count)
    try StreamError.check(mainstem_hide_read(event, &components, count, &count))
    return components
  }
}
