// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Handlers {
  /// Answers requests of a type by tasks, one for each: it may await.
  ///
  ///     on.answer(RequestPage.self) { request async throws in
  ///       ResponsePage(text: try await download(request.address))
  ///     }
  ///
  /// The task runs on no actor, unless the closure says so. It is cancelled when nobody waits for its answer any more.
  /// In a replay it is not started: the journal has its answer. To wait a while, sleep by the context's clock, which a
  /// test moves: `Task.sleep(for: .seconds(1), clock: .context)`.
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - body: Gets the request, and returns the answer. If it throws, the response fails.
  public mutating func answer<R: Request>(
    _ type: R.Type, _ body: @escaping @Sendable (R) async throws -> R.Answer
  ) {
    answer(type) { _ in { request, _ in try await body(request) } }
  }

  /// Answers requests of a type by tasks, given the server and the reply.
  ///
  ///     on.answer(RequestPage.self, task: { server, request, reply in
  ///       try reply.progress(Began(address: request.address))
  ///       return ResponsePage(text: try await server.client.download(request.address))
  ///     })
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - body: Gets the server as it was when the request came, the request, and its reply, to report progress. It
  ///     returns the answer.
  public mutating func answer<R: Request>(
    _ type: R.Type, task body: @escaping @Sendable (S, R, Reply<R>) async throws -> R.Answer
  ) where S: Sendable {
    answer(type) { server in { request, reply in try await body(server, request, reply) } }
  }

  private mutating func answer<R: Request>(
    _ type: R.Type, _ work: @escaping (S) -> @Sendable (R, Reply<R>) async throws -> R.Answer
  ) {
    event(type) { server, request, delivery in
      // What comes from outside the delivery is in the journal.
      if delivery.context.isReplaying { return [] }
      let reply = try delivery.reply(to: type)
      let work = work(server)
      let clock = delivery.context.clock
      let task = Task(executorPreference: delivery.types.tasks) {
        await TaskClock.$local.withValue(clock) {
          await reply.conclude { reply async throws in try await work(request, reply) }
        }
      }
      try delivery.onSettled { task.cancel() }
      return []
    }
  }
}
