// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
