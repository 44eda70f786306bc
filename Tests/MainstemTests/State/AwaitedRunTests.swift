// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct ResponseWork: Response { var sum: Int }
private struct RequestWork: Request {
  typealias Answer = ResponseWork
  var number: Int
}

/// Answers when it is told to.
private struct Office: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestWork.self) { request async throws in
      if request.number < 0 { throw CancellationError() }
      // Until nobody waits any more.
      for await _ in AsyncStream<Int>.makeStream().stream {}
      try Task.checkCancellation()
      return ResponseWork(sum: request.number)
    }
  }
}

private struct Worker: ViewModel {
  var sum = 0

  static let add = Command<Int, Int>("add")
  static let wait = Command<Int, Void>("wait")
  static let fail = Command<Void, Void>("fail")

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("sum", \.sum)
    on.command(add, policy: .concurrent) { worker, number in
      worker.sum += number
      return worker.sum
    }
    on.command(wait, policy: .concurrent, asks: [RequestWork.self]) { _, number, run in
      run.ask(RequestWork(number: number)) { worker, answer in worker.sum = answer.sum }
    }
    on.command(fail) { _ in throw Failure("NO", userMessage: "No.") }
  }
}

/// Runs that are awaited.
@MainActor @Suite struct AwaitedRunTests {
  let context: Context
  let worker, window: Context
  fileprivate let view: ModelBinding<Worker>

  init() throws {
    context = try Context(on: MainActor.shared)
    try context.install(Office())
    worker = try context.open(Worker())
    window = try context.scope("Window")
    view = try window.bind(to: worker, as: Worker.self)
  }

  /// The failure of a run that is awaited while `body` is called.
  private func failure(
    of number: Int, while body: @escaping @MainActor () throws -> Void
  ) async throws -> Failure? {
    let (view, done) = (view, AsyncStream.makeStream(of: Failure?.self))
    Task { @MainActor in
      do throws(Failure) {
        try await view.run(\.wait, number)
        done.continuation.yield(nil)
      } catch {
        done.continuation.yield(error)
      }
      done.continuation.finish()
    }
    // The run is on its way when this one has been answered.
    _ = try await view.run(\.add, 1)
    await Task.yield()
    try body()
    for await failure in done.stream { return failure }
    return nil
  }

  @Test func `an answer is awaited`() async throws {
    let sum = try await view.run(\.add, 2)
    #expect(sum == 2)
    #expect(try await view.run("add", 3, answer: Int.self) == 5)
    let error = await #expect(throws: Failure.self) { try await view.run(\.fail) }
    #expect(error?.userMessage == "No.")
    await #expect(throws: Failure.self) { try await view.run("add", "3") }
    await #expect(throws: Failure.self) { try await view.run("add", 3, answer: String.self) }
    try context.close()
  }

  @Test func `the wait ends with the binding`() async throws {
    let (view, worker) = (view, worker)
    #expect(try await failure(of: 1) { view.end() }?.code == .cancelled)
    try context.close()
    _ = worker
  }

  @Test func `the wait ends where the binding points elsewhere`() async throws {
    let view = view
    #expect(try await failure(of: 1) { try view.retarget(to: nil) }?.code == .cancelled)
    try context.close()
  }

  @Test func `the wait ends with the owner, and with the context`() async throws {
    let (worker, context) = (worker, context)
    #expect(try await failure(of: 1) { try worker.close() }?.code == .cancelled)
    try context.close()
  }

  @Test func `a handler whose task is cancelled has been cancelled`() async throws {
    let error = await #expect(throws: Failure.self) { try await view.run(\.wait, -1) }
    #expect(error?.code == .cancelled)
    #expect(Failure(CancellationError()).code == .cancelled)
    try context.close()
  }
}
