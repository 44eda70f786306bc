// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
