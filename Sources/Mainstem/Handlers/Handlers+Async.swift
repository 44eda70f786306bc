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

// MARK: - The answer of a task

extension Reply {
  /// Answers with what a handler's task returns, or with what it throws.
  func conclude(_ body: (Reply) async throws -> R.Answer) async {
    do {
      try respond(try await body(self))
    } catch {
      // Refused: it was cancelled, or somebody else has answered.
      try? fail(Failure(error, handling: R.self))
    }
  }
}

extension Failure {
  /// The failure for an error that a handler threw. If the error may quote a secret, in the event or in the answer,
  /// only the error's type is named.
  init<E: Event>(_ error: any Error, handling type: E.Type, isSecret: Bool = false) {
    let mayQuote = isSecret || E.isSecret || E.answer?.isSecret == true
    if !mayQuote || error is Failure || error is StreamError {
      self.init(error)
    } else {
      self.init("\(Swift.type(of: error)): <secret>")
    }
  }
}

// MARK: - Where tasks run

/// Runs the tasks of a context's handlers on the thread or actor of the context, when that says so: in tests, where nothing
/// happens at another time than the test wants.
///
/// Sendable because the lock guards its mutable state.
final class TaskQueue: TaskExecutor, @unchecked Sendable {
  private let lock = Lock()
  private var jobs: [UnownedJob] = []
  private var isRunning = false
  private var hasEnded = false
  /// Who runs what has come while the test awaits; nil: nobody does.
  private weak let actor: (any Actor)?

  init(on actor: (any Actor)?) { self.actor = actor }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isLate = lock.locked {
      if !hasEnded { jobs.append(job) }
      return hasEnded
    }
    // What was cancelled with the context comes to its end elsewhere.
    if isLate { return globalConcurrentExecutor.enqueue(job) }
    if let actor { Task { await run(on: actor) } }
  }

  private func run(on actor: isolated any Actor) { run() }

  /// Runs tasks until each has ended or waits for something.
  func run() {
    let isNested = lock.locked {
      defer { isRunning = true }
      return isRunning
    }
    if isNested { return }
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// The next job; nil: there is none, and the run is over.
  private func next() -> UnownedJob? {
    lock.locked {
      isRunning = !jobs.isEmpty
      return jobs.isEmpty ? nil : jobs.removeFirst()
    }
  }

  /// From now on tasks run elsewhere.
  func end() {
    let left = lock.locked {
      defer { jobs = [] }
      hasEnded = true
      return jobs
    }
    for job in left { globalConcurrentExecutor.enqueue(job) }
  }
}

extension Context {
  /// From now on the tasks of handlers run only in ``runTasks()``, and, if there is an actor, in its turns.
  package func keepTasks(on actor: (any Actor)? = nil) { types.tasks = TaskQueue(on: actor) }

  /// Runs the tasks of handlers until each has ended or waits for something. Nothing happens inside callbacks.
  package func runTasks() {
    guard let tasks = types.tasks, (try? event()) == 0 else { return }
    tasks.run()
  }

  /// Tasks that still run do so elsewhere.
  package func leaveTasks() { types.tasks?.end() }

  /// How many tasks sleep by ``clock``.
  package var sleepingTasks: Int { types.time?.count ?? 0 }

  /// When the first task that sleeps by ``clock`` is due; nil: none does.
  package var nextSleeper: Duration? { types.time?.first }
}
