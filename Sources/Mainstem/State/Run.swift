// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// One run of a command: it may ask, and goes on with the answers. It is over when all of them have come.
///
///     on.command("submit") { form, run in
///       run.ask(RequestSignIn(name: form.name)) { form, answer in form.user = answer.user }
///     }
///
/// A failure, in the command or as an answer, is the command's own answer. A call that is refused counts as one.
public final class Run<Model: Server> {
  let house: ModelHouse<Model>
  /// The command's request, when the run goes on after the command has returned.
  private var request: Retained?
  /// How it has ended.
  private var outcome: Result<Void, any Error>?
  private let questions = Questions()
  private var failure: (any Error)?
  /// Whether nobody waits for the outcome any more.
  private var isSettled = false
  /// What the command answers when it is over.
  var answer: [UInt8] = []

  init(_ house: ModelHouse<Model>) { self.house = house }

  /// How many answers it waits for.
  var waitsFor: Int { questions.count }

  var isOver: Bool { outcome != nil || isSettled }

  /// Asks, and goes on with the answer.
  ///
  /// - Parameters:
  ///   - question: The request.
  ///   - timeout: How long to wait for the answer, by the context's clock.
  ///   - shared: Whether all who ask the same at a time wait for one answer.
  ///   - then: Gets the view model and the answer. It may ask again.
  ///   - failed: Gets the failure, if that is the answer. Without it, the run fails with it.
  public func ask<Q: Request>(
    _ question: Q, timeout: Duration? = nil, shared: Bool = false,
    then: @escaping (inout Model, Q.Answer) throws -> Void,
    failed: @escaping (inout Model, Failure) throws -> Void = { throw $1 }
  ) {
    guard outcome == nil, !isSettled, failure == nil else { return }
    do throws(StreamError) {
      try questions.ask(question, timeout, shared: shared, house.context, house.scheduler) {
        answer, delivery in
        self.goOn { model in
          switch answer {
          case .success(let answer): try then(&model, answer)
          case .failure(let failure): try failed(&model, failure)
          }
        }
        self.conclude(delivery)
      }
    } catch {
      failure = error
    }
  }

  /// Sends a notice through the view model's scope, at once.
  ///
  /// - Parameter notice: The notice.
  public func send<N: Notice>(_ notice: N) {
    take { () throws(StreamError) in try house.context.send(notice) }
  }

  /// Makes a call; the first one that is refused is its failure.
  func take(_ call: () throws(StreamError) -> Void) {
    do throws(StreamError) { try call() } catch { failure = failure ?? error }
  }

  /// Takes a step, and is over if nothing is asked any more.
  func goOn(_ step: (inout Model) throws -> Void) {
    do {
      try house.change(step)
      if let failure { throw failure }
    } catch {
      return end(.failure(error))
    }
    if waitsFor == 0 { end(.success(())) }
  }

  /// Answers the command, or keeps its request until all answers have come. In the command's handler.
  func answer(_ delivery: borrowing Delivery) throws {
    if let outcome { return answer(delivery.event, outcome) }
    request = try Retained(delivery.event)
    try delivery.onSettled { self.settle() }
  }

  /// Throws what went wrong, for a run that nobody waits for.
  func check() throws { try outcome?.get() }

  /// Answers the command after a later step. Of a run that nobody waits for, a failure is reported.
  private func conclude(_ delivery: borrowing Delivery) {
    guard let outcome, !isSettled else { return }
    if let request {
      answer(request.event, outcome)
    } else if case .failure(let error) = outcome {
      delivery.fail(Failure(error))
    }
  }

  private func answer(
    _ event: UnsafePointer<mainstem_event>, _ outcome: Result<Void, any Error>
  ) {
    // Refused: somebody else has settled it.
    switch outcome {
    case .success: _ = mainstem_respond(event, answer, answer.count)
    case .failure(let error): _ = Failure(error).answer(event)
    }
  }

  /// Cancels the questions: nobody waits for the outcome. The steps after them get the failure.
  private func settle() {
    isSettled = true
    questions.cancel()
  }

  private func end(_ outcome: Result<Void, any Error>) {
    if self.outcome != nil { return }
    self.outcome = outcome
    questions.giveUp()
  }
}

extension Run: CustomStringConvertible {
  /// Whose command it is, and how far it has come: `Run of Lookup, waits for 1 answer`.
  public var description: String {
    let count = waitsFor
    let state =
      isOver ? "over" : count == 0 ? "begun" : "waits for \(count) answer\(count == 1 ? "" : "s")"
    return "Run of \(house.kind.owner), \(state)"
  }
}
