// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Mainstem

extension TestContext {
  /// Allows all current subscriptions and all armed timers to remain at the end. Call it after setting up a test.
  ///
  /// The test's servers, stubs and view models do not need it, nor do factories and services.
  public func keep() {
    guard let stats = try? context.stats() else { return }
    let handlers = servers.reduce(own + context.serviceSubscriptions) {
      $1.scope.isLive ? $0 + $1.handlers : $0
    }
    kept = (stats.subscriptions - min(stats.subscriptions, handlers), stats.timers)
  }

  /// What the kit, the navigator, factories and services have subscribed.
  private var own: UInt64 { 1 + (navigation ?? 0) + context.declaredSubscriptions }

  /// Lists what is left when the test ends and should not be.
  func left() -> [String] {
    context.runTasks()
    let unexpected = transcript.rest().map { "nobody expected \(transcript.told($0))" }
    // A move that opens something is answered when that has closed.
    let open = transcript.openRequests().filter { navigation == nil || $0.name != "MainstemMove" }
      .map { "not answered: \(transcript.told($0))" }
    // A test may have closed its context; then nothing is left.
    for view in views { try? view.scope.close() }
    guard let stats = try? context.stats() else { return unexpected + stubs.compactMap { $0() } }
    return unexpected + open + inFlight(stats) + stubs.compactMap { $0() } + subscribed()
  }

  private func inFlight(_ stats: Stats) -> [String] {
    var left = stats.waiting > 0 ? ["\(stats.waiting) posted and not drained"] : []
    if stats.timers > kept.timers {
      left.append("\(stats.timers - kept.timers) still to come from timers")
    }
    let sleeping = context.sleepingTasks
    if sleeping > 0 {
      left.append("\(sleeping) task\(sleeping == 1 ? "" : "s") of handlers asleep: advance(by: …)")
    }
    if stats.waiting == 0, (try? context.nextTimeout()) == .zero {
      left.append("something waits to be drained: advance(by: .zero)")
    }
    return left
  }

  /// Ends the test's servers, which may be there, and lists who is still subscribed.
  private func subscribed() -> [String] {
    leaveStage()
    for server in servers { try? server.scope.close() }
    context.endServices()
    let kept = kept.subscriptions + own
    guard let stats = try? context.stats(), stats.subscriptions > kept else { return [] }
    let count = stats.subscriptions - kept
    return ["\(count) still subscribed (call keep() after the setup)"]
  }
}
