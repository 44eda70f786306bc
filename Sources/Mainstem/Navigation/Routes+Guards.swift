// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Guards: what is asked before a URL is opened, or a component closed.
extension Routes {
  /// Adds a guard, which is asked before URLs of these patterns are opened.
  ///
  ///     on.guarded("diary/<path:_>", "diary") { flow, route in flow.isSignedIn ? .allow : .openFirst("signin") }
  ///
  /// The pattern `*` means every URL: the home page and those with a scheme, too.
  ///
  /// Guards are asked in the order of their tables, all whose pattern matches. That of a flow is asked while such a flow
  /// is open; without one, the move is refused.
  ///
  /// - Parameters:
  ///   - patterns: The patterns.
  ///   - body: Gets the flow and what was found in the URL.
  public mutating func guarded(
    _ patterns: String..., body: @escaping (inout Flow, RouteMatch) throws -> Verdict
  ) {
    guards.append(GuardRow(patterns: patterns, isLeaving: false, judge: .init(body)))
  }

  /// Adds a guard, which is asked before a move closes components of these patterns: not after a gesture.
  ///
  /// - Parameters:
  ///   - patterns: The patterns.
  ///   - body: Gets the flow, what was found in the URL, and in that the component. It lets go or refuses.
  public mutating func guardedLeaving(
    _ patterns: String..., body: @escaping (inout Flow, RouteMatch) throws -> Verdict
  ) {
    guards.append(
      GuardRow(patterns: patterns, isLeaving: true, judge: .init(body, isLeaving: true)))
  }
}

extension Routes where Flow: Coordinator {
  /// Adds a guard that may ask before it answers: see ``Next``.
  ///
  ///     on.guarded("library") { _, _ in
  ///       .ask(RequestPermission()) { _, answer in .done(answer.isGiven ? .allow : .redirect("about")) }
  ///     }
  ///
  /// - Parameters:
  ///   - patterns: The patterns.
  ///   - body: Gets the flow and what was found in the URL, and returns what to do next.
  public mutating func guarded(
    _ patterns: String...,
    body: @escaping (inout Flow, RouteMatch) throws -> Next<Flow, Verdict>
  ) {
    guards.append(GuardRow(patterns: patterns, isLeaving: false, judge: .init(steps: body)))
  }

  /// Adds a guard that may ask before a move closes components of these patterns: see ``Next``.
  ///
  ///     on.guardedLeaving("diary/<int:id>") { _, _ in
  ///       .open(.confirm, ["text": "Leave?"]) { _, answer in .done(answer.isConfirmed ? .allow : .refuse("No.")) }
  ///     }
  ///
  /// - Parameters:
  ///   - patterns: The patterns.
  ///   - body: Gets the flow and what was found in the URL, and returns what to do next. It lets go or refuses.
  public mutating func guardedLeaving(
    _ patterns: String...,
    body: @escaping (inout Flow, RouteMatch) throws -> Next<Flow, Verdict>
  ) {
    guards.append(
      GuardRow(patterns: patterns, isLeaving: true, judge: .init(steps: body, isLeaving: true)))
  }
}

/// One guard.
struct GuardRow<Flow> {
  let patterns: [String]
  let isLeaving: Bool
  let judge: Judge<Flow>
}

/// How a guard comes to its verdict, given who has the flow.
struct Judge<Flow> {
  /// Lets a step have the flow.
  typealias Access = ((inout Flow) -> Void) -> Void

  /// Answers a guard's request. The house is that of the flow, if it has one.
  let answer: (borrowing Delivery, AnyObject?, Access) -> Void

  init(_ body: @escaping (inout Flow, RouteMatch) throws -> Verdict, isLeaving: Bool = false) {
    answer = { delivery, _, access in
      let event = delivery.event
      access { flow in
        Verdict.answer(event) { try body(&flow, RouteMatch(event, isLeaving: isLeaving)) }
      }
    }
  }
}

extension Judge where Flow: Coordinator {
  init(
    steps body: @escaping (inout Flow, RouteMatch) throws -> Next<Flow, Verdict>,
    isLeaving: Bool = false
  ) {
    answer = { delivery, house, _ in
      // A flow's guards are only asked through its house.
      guard let house = house as? FlowHouse<Flow> else { return }
      let event = delivery.event
      do {
        let request = try Retained(event)
        let errand = Errand<Flow, Verdict>(house) { _, verdict in
          Verdict.answer(request.event, verdict)
        }
        try delivery.onSettled { errand.settle() }
        errand.goOn(delivery) { try body(&$0, RouteMatch(event, isLeaving: isLeaving)) }
      } catch {
        _ = Failure(error).answer(event)
      }
    }
  }
}

/// What a guard says about a URL before it is opened or closed. What it throws refuses, too.
public enum Verdict: Hashable, Sendable {
  /// The move goes on.
  case allow
  /// Another URL is opened instead.
  case redirect(String)
  /// Another URL is opened first; when that has finished, the guards are asked again.
  case openFirst(String)
  /// The move is answered ``Status/denied`` with this message.
  case refuse(String)

  /// Answers a guard's request.
  static func answer(_ event: UnsafePointer<mainstem_event>, _ body: () throws -> Verdict) {
    do {
      let status =
        switch try body() {
        case .allow: mainstem_guard_answer(event, UInt32(MAINSTEM_GUARD_ALLOW), nil)
        case .redirect(let url): mainstem_guard_answer(event, UInt32(MAINSTEM_GUARD_REDIRECT), url)
        case .openFirst(let url):
          mainstem_guard_answer(event, UInt32(MAINSTEM_GUARD_OPEN_FIRST), url)
        case .refuse(let message): Failure(message, code: .denied).answer(event)
        }
      // STALE: another one has answered first, and that counts.
      if status != Status.stale.rawValue { try StreamError.check(status) }
    } catch {
      _ = Failure(error).answer(event)
    }
  }
}
