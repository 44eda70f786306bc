// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A step of a workflow: see ``Context/addWorkflow(_:for:steps:limit:answer:)``.
public struct WorkflowStep<R: Request> {
  let request: any Request.Type
  private(set) var undo: (any Request.Type)?
  let make: (borrowing WorkflowRun<R>) throws -> Void
  private(set) var makeUndo: ((borrowing WorkflowRun<R>) throws -> Void)?
  let timeout: Duration?
  let retries: Int
  let backoff: Duration
  let isParallel: Bool

  /// Makes a step that nothing undoes.
  ///
  /// - Parameters:
  ///   - request: The type that it requests.
  ///   - timeout: How long each attempt may take, by the context's clock.
  ///   - retries: How often it is requested again if it fails.
  ///   - backoff: How long the first retry waits; doubles each time.
  ///   - isParallel: Whether it begins together with the step before it. The next step that does not waits for both.
  ///   - make: Makes the request; `nil` leaves the step out. A ``Failure`` that it throws is the step's.
  public init<Q: Request>(
    _ request: Q.Type, timeout: Duration? = nil, retries: Int = 0, backoff: Duration = .zero,
    isParallel: Bool = false, _ make: @escaping (borrowing WorkflowRun<R>) throws -> Q?
  ) {
    self.request = request
    self.make = { try $0.pass(try make($0)) }
    self.timeout = timeout
    self.retries = retries
    self.backoff = backoff
    self.isParallel = isParallel
  }

  /// The same step, undone by a request if a later one fails.
  ///
  /// - Parameters:
  ///   - undo: The type of that request.
  ///   - make: Makes it; `nil` leaves it out.
  /// - Returns: The step.
  public func undone<U: Request>(
    by undo: U.Type, _ make: @escaping (borrowing WorkflowRun<R>) throws -> U?
  ) -> Self {
    var step = self
    step.undo = undo
    step.makeUndo = { try $0.pass(try make($0)) }
    return step
  }
}

/// What a closure of a workflow, or of an undo log, gets: the request, and the answers so far.
public struct WorkflowRun<R: Request>: ~Copyable {
  let run: UnsafePointer<mainstem_workflow_run>
  let types: EventTypes
  let numbers: [mainstem_event_type]

  /// The request that the workflow handles; of an undo log, the command.
  public var request: R {
    get throws(Failure) {
      guard let event = run.pointee.request else { throw Failure("the request is gone") }
      return try types.decode(R.self, from: event)
    }
  }

  /// The answer to a request of a type; if several steps request it, the last answer in the order of the steps.
  ///
  /// - Parameter type: The type.
  /// - Returns: The answer.
  /// - Throws: A failure if no such step is done.
  public func answer<Q: Request>(to type: Q.Type) throws(Failure) -> Q.Answer {
    let number = try? types.number(of: type)
    for index in numbers.indices.reversed() where numbers[index] == number {
      if let answer = run.pointee.answers[index] {
        return try types.decode(Q.Answer.self, from: answer)
      }
    }
    throw Failure("\(Q.name) has no answer (yet): its step is not done, or was left out")
  }

  /// Passes on what a step requests; nil: leaves it out.
  func pass(_ event: (some Event)?) throws(StreamError) {
    guard let event else { return try StreamError.check(mainstem_workflow_skip(run)) }
    try types.withBytes(of: event) { bytes throws(StreamError) in
      try StreamError.check(mainstem_workflow_pass(run, bytes, bytes.count))
    }
  }
}

extension Context {
  /// Adds a workflow: a server that handles a request by requesting its steps in order.
  ///
  ///     try context.addWorkflow(
  ///       "Booking", for: RequestTrip.self,
  ///       steps: [
  ///         .init(RequestFlight.self) { RequestFlight(who: try $0.request.who) }
  ///           .undone(by: RequestNoFlight.self) {
  ///             RequestNoFlight(seat: try $0.answer(to: RequestFlight.self).seat)
  ///           },
  ///         .init(RequestHotel.self, timeout: .seconds(5), retries: 2) { _ in RequestHotel() },
  ///       ]
  ///     ) { ResponseTrip(seat: try $0.answer(to: RequestFlight.self).seat) }
  ///
  /// If a step fails for good, those that are done are undone, the last one first, and the request fails with the step's
  /// error; if it is cancelled or times out, they are undone, too. An undo that fails is named in the error's message
  /// ("not undone: …") and reported as a ``FailureReport``. At the end of the scope, and at the close of the context,
  /// nothing can be undone.
  ///
  /// - Parameters:
  ///   - name: Its name: the origin of what it sends.
  ///   - request: The type of the request that it handles.
  ///   - steps: The steps, in order.
  ///   - limit: How many requests may be open; more fail with ``Status/full``.
  ///   - answer: Makes the answer when all steps are done.
  /// - Returns: The workflow's scope; closing it ends the workflow.
  /// - Throws: The reason it was not added.
  @discardableResult
  public func addWorkflow<R: Request>(
    _ name: String, for request: R.Type, steps: [WorkflowStep<R>], limit: Int = 1024,
    answer: @escaping (borrowing WorkflowRun<R>) throws -> R.Answer
  ) throws(StreamError) -> Context {
    guard limit > 0 else {
      throw StreamError(.invalid, "addWorkflow: limit is \(limit): at least 1")
    }
    _ = try types.number(of: request)
    let rows = try steps.map { step throws(StreamError) in try step.row }
    var scope: OpaquePointer?
    try payloads(of: steps, answer: answer).keep { userData, release in
      CStrings([R.name] + steps.map { $0.request.name } + steps.map { $0.undo?.name ?? "" })
        .withPointers { names in
          var rows = rows
          for index in rows.indices {
            rows[index].request = names[1 + index]
            if steps[index].undo != nil { rows[index].undo = names[1 + steps.count + index] }
          }
          var options = mainstem_workflow_options()
          options.size = UInt32(MemoryLayout<mainstem_workflow_options>.size)
          options.finish = makePayload
          options.limit = limit
          return mainstem_workflow_add(
            handle, name, names[0], rows, MemoryLayout<mainstem_workflow_row>.stride, rows.count,
            &options, userData, release, &scope)
        }
    }
    return Context(scope, types: types, ownership: .none)
  }

  /// What makes all payloads of a workflow.
  private func payloads<R: Request>(
    of steps: [WorkflowStep<R>], answer: @escaping (borrowing WorkflowRun<R>) throws -> R.Answer
  ) throws(StreamError) -> Held<(UnsafePointer<mainstem_workflow_run>) -> Void> {
    let types = types
    let numbers = try steps.map { step throws(StreamError) in
      if let undo = step.undo { _ = try types.number(of: undo) }
      return try types.number(of: step.request)
    }
    return Held { run in
      let row = run.pointee.row
      let made = WorkflowRun<R>(run: run, types: types, numbers: numbers)
      do {
        guard row < steps.count else { return try made.pass(try answer(made)) }
        try (run.pointee.undoes ? steps[row].makeUndo : steps[row].make)?(made)
      } catch {
        let failure = Failure(error, handling: R.self)
        _ = failure.withError { mainstem_workflow_fail(run, $0) }
      }
    }
  }
}

extension WorkflowStep {
  /// All of its row but the names.
  fileprivate var row: mainstem_workflow_row {
    get throws(StreamError) {
      guard let retries = UInt32(exactly: retries) else {
        throw StreamError(.invalid, "addWorkflow: retries is \(retries): at least 0")
      }
      var row = mainstem_workflow_row()
      row.fn = makePayload
      row.undo_fn = undo == nil ? nil : makePayload
      row.timeout_ms = try timeout?.milliseconds("addWorkflow: timeout", least: 1) ?? 0
      row.retries = retries
      row.backoff_ms = try backoff.milliseconds("addWorkflow: backoff")
      row.flags = isParallel ? UInt32(MAINSTEM_WORKFLOW_PARALLEL) : 0
      return row
    }
  }
}

/// Calls the closure behind user_data.
let makePayload: mainstem_workflow_fn = { userData, run in
  guard let run else { return }
  Kept.behind(userData, as: Held<(UnsafePointer<mainstem_workflow_run>) -> Void>.self)?.content(run)
}
