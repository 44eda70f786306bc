// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Where a flow goes: nowhere, somewhere, to several places in their order, or to its end.
///
///     on.intent(Opened.self) { _, _ in .none }
///     on.intent(EntryPicked.self) { _, intent in .open("diary/\(intent.id)") }
///     on.intent(TourAsked.self) { _, _ in [.open("tour/1"), .open("tour/2")] }
///     on.intent(DonePressed.self) { flow, _ in .finish(Chosen(ids: flow.chosen)) }
public struct Moves<Flow: Coordinator> {
  /// Does one; `component` is the one that has spoken, 0: none.
  typealias Step = (_ house: FlowHouse<Flow>, _ component: UInt64) throws -> Void

  let steps: [Step]

  init(_ step: @escaping Step) { steps = [step] }
  private init(steps: [Step]) { self.steps = steps }
}

extension Moves: ExpressibleByArrayLiteral {
  /// Nowhere.
  public static var none: Moves { Moves(steps: []) }

  /// Several, in their order.
  public init(arrayLiteral elements: Moves...) { steps = elements.flatMap(\.steps) }
}

/// Opening.
extension Moves {
  /// Opens a URL: a screen on the stack of the flow, a dialog on the component that has spoken.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - slot: Of an embed: the slot, in place of that of its route.
  /// - Returns: The move.
  public static func open(_ url: String, slot: String? = nil) -> Moves {
    opened { try $0.open(url, on: $1, slot: slot, $2) }
  }

  /// Opens a destination, and goes on with its result.
  ///
  /// - Parameters:
  ///   - destination: The destination.
  ///   - values: A value for each placeholder. Others become the query.
  ///   - then: Gets the flow and the result, and says where to go.
  ///   - failed: Gets the flow and the failure. Without it, the flow goes nowhere; what is no ``Status/cancelled`` and no
  ///     ``Status/denied`` is reported.
  /// - Returns: The move.
  public static func open<R: Event>(
    _ destination: Destination<R>, _ values: KeyValuePairs<String, String> = [:],
    then: @escaping (inout Flow, R) throws -> Moves,
    failed: ((inout Flow, Failure) throws -> Moves)? = nil
  ) -> Moves {
    Moves { house, component in
      let on = component == 0 ? nil : component
      try house.context.navigator.open(destination, values, on: on) { result, delivery in
        if failed == nil { house.report(result.map { _ in }, delivery) }
        house.go(delivery, component) { flow in
          switch result {
          case .success(let result): try then(&flow, result)
          case .failure(let failure): try failed?(&flow, failure) ?? .none
          }
        }
      }
    }
  }

  /// Closes all dialogs, and opens a URL on the screens that are there.
  ///
  /// - Parameter url: The URL.
  /// - Returns: The move.
  public static func link(_ url: String) -> Moves {
    asked { try $0.link(url, $2) }
  }

  /// Opens a URL in place of the topmost screen of the stack that the one who has spoken is in.
  ///
  /// What is below is not uncovered: the old screen closes when the new one is shown.
  ///
  /// - Parameter url: The URL.
  /// - Returns: The move.
  public static func replace(_ url: String) -> Moves {
    opened { try $0.replace(url, on: $1, $2) }
  }

  /// Opens a URL on nothing, then closes everything else: this flow, too.
  ///
  /// - Parameter url: The URL.
  /// - Returns: The move.
  public static func replaceRoot(_ url: String) -> Moves {
    asked { try $0.replaceRoot(url, $2) }
  }
}

/// Closing, and ends.
extension Moves {
  /// Closes a component, and what stands on it.
  ///
  /// - Parameter component: Its number; `nil`: the one that has spoken.
  /// - Returns: The move.
  public static func close(_ component: UInt64? = nil) -> Moves {
    asked { try $0.close(component ?? $1, $2) }
  }

  /// Closes the topmost screen of the flow, if another is below.
  public static var pop: Moves { asked { try $0.pop($2) } }

  /// Closes what stands on a component, but for its embeds.
  ///
  /// - Parameter component: Its number; `nil`: the one that has spoken.
  /// - Returns: The move.
  public static func popTo(_ component: UInt64? = nil) -> Moves {
    asked { try $0.popTo(component ?? $1, $2) }
  }

  /// Closes the dialog, presented component or overlay that was opened last.
  public static var dismiss: Moves { asked { try $0.dismiss($2) } }

  /// Ends the flow with a result, which its opener gets, and closes what stands on it.
  ///
  /// - Parameter result: The result.
  /// - Returns: The move.
  public static func finish<R: Event>(_ result: R) -> Moves {
    Moves { house, _ in try house.context.navigator.finish(result) }
  }

  /// Ends the flow without a result, and closes what stands on it.
  public static var finish: Moves { Moves { house, _ in try house.context.navigator.finish() } }

  /// Sends an event through the flow's scope.
  ///
  /// - Parameter event: The event.
  /// - Returns: The move.
  public static func send<E: Event>(_ event: E) -> Moves {
    Moves { house, _ in try house.context.send(event) }
  }

  /// Asks through the flow's scope, and goes on with the answer.
  ///
  /// - Parameters:
  ///   - question: The request.
  ///   - timeout: How long to wait for the answer, by the context's clock.
  ///   - then: Gets the flow and the answer, and says where to go.
  ///   - failed: Gets the flow and the failure. Without it, the flow goes nowhere, and the failure is reported.
  /// - Returns: The move.
  public static func ask<Q: Request>(
    _ question: Q, timeout: Duration? = nil,
    then: @escaping (inout Flow, Q.Answer) throws -> Moves,
    failed: @escaping (inout Flow, Failure) throws -> Moves = { throw $1 }
  ) -> Moves {
    Moves { house, component in
      _ = try house.context.ask(question, timeout, shared: false, house.scheduler) { delivery in
        let answer = delivery.result(Q.Answer.self)
        house.go(delivery, component) { flow in
          switch answer {
          case .success(let answer): try then(&flow, answer)
          case .failure(let failure): try failed(&flow, failure)
          }
        }
      }
    }
  }

  private typealias Closed = (Result<Void, Failure>, borrowing Delivery) -> Void

  /// A move whose failure is reported.
  private static func asked(
    _ ask: @escaping (Navigator, UInt64, @escaping Closed) throws -> Pending
  ) -> Moves {
    Moves { house, component in
      _ = try ask(house.context.navigator, component) { house.report($0, $1) }
    }
  }

  /// A move that opens something on the one who has spoken. While the flow starts, its failure is not reported.
  private static func opened(
    _ ask: @escaping (Navigator, UInt64?, @escaping Closed) throws -> Pending
  ) -> Moves {
    Moves { house, component in
      let isReported = house.hasStarted
      _ = try ask(house.context.navigator, component == 0 ? nil : component) {
        if isReported { house.report($0, $1) }
      }
    }
  }
}

// MARK: - Opening in a handler

extension Next where S: Coordinator {
  /// Opens a destination, and goes on with its result.
  ///
  /// - Parameters:
  ///   - destination: The destination.
  ///   - values: A value for each placeholder. Others become the query.
  ///   - then: Gets the flow and the result.
  ///   - failed: Gets the flow and the failure, ``Status/cancelled`` if it was closed without a result; without it, the
  ///     handler fails with it: a guard refuses.
  /// - Returns: What the handler does next.
  public static func open<R: Event>(
    _ destination: Destination<R>, _ values: KeyValuePairs<String, String> = [:],
    then: @escaping (inout S, R) throws -> Next,
    failed: @escaping (inout S, Failure) throws -> Next = { _, failure in throw failure }
  ) -> Next {
    Next(
      kind: .ask { errand, delivery in
        let move = MoveRequest(verb: .open, url: try destination.url(values))
        try errand.ask(move, nil, through: delivery) { flow, answer, delivery in
          switch delivery.closed(with: R.self) {
          case .success(let result): try then(&flow, result)
          case .failure(let failure): try failed(&flow, failure)
          }
        }
      })
  }
}
