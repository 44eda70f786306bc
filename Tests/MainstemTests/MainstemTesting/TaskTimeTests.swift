// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct ResponseExported: Response { var file: String }
private struct RequestExport: Request {
  typealias Answer = ResponseExported
  var name: String
}
private struct Exporting: Notice { var percent: Int }

private struct ResponseSize: Response { var size: Int }
private struct RequestSize: Request {
  typealias Answer = ResponseSize
  var file: String
}

/// It takes a second, and tells when half is done.
private struct Exporter: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(
      RequestExport.self,
      task: { _, request, reply in
        for percent in [50, 100] {
          try await Task.sleep(for: .milliseconds(500), clock: .context)
          try reply.progress(Exporting(percent: percent))
        }
        return ResponseExported(file: "\(request.name).pdf")
      })
  }
}

/// It does not sleep, but comes to its answer by several turns of its task.
private struct Sizes: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestSize.self) { request async throws in
      async let half = request.file.utf8.count / 2
      await Task.yield()
      async let rest = request.file.utf8.count - request.file.utf8.count / 2
      return await ResponseSize(size: half + rest)
    }
  }
}

@Suite("Tasks in a test") struct TaskTimeTests {
  @Test(arguments: seeds(5)) func `a handler sleeps until the test moves time`(seed: UInt64) {
    let test = TestContext(seed: seed)
    test.install(Exporter())

    test.send(RequestExport(name: "a"))
    test.expect(RequestExport(name: "a"))
    test.advance(by: .milliseconds(499))
    test.expectNothing()
    test.advance(by: .milliseconds(1))
    test.expect(Exporting(percent: 50))
    test.advance(by: .milliseconds(500))
    test.expect(Exporting(percent: 100))
    test.expect(ResponseExported(file: "a.pdf"))
  }

  @Test func `a request moves time as far as its handler sleeps, and no further`() throws {
    let test = TestContext()
    test.install(Exporter())

    let answer = test.request(RequestExport(name: "a"))

    #expect(try answer.get().file == "a.pdf")
    #expect(try test.context.now() == 1_000_000_000)
    test.skip()
  }

  @Test func `two that sleep wake in the order of their times`() throws {
    let test = TestContext()
    test.install(Exporter())
    for (name, after) in [("a", 300), ("b", 0)] {
      test.send(RequestExport(name: name))
      test.advance(by: .milliseconds(after))
    }
    test.advance(by: .seconds(2))
    test.expect(RequestExport(name: "a"))
    test.expect(RequestExport(name: "b"))
    for _ in ["a", "b"] { test.expect(Exporting(percent: 50)) }
    for name in ["a", "b"] {
      test.expect(Exporting(percent: 100))
      test.expect(ResponseExported(file: "\(name).pdf"))
    }
  }

  @Test func `a timeout ends the sleep, and nothing is left`() {
    let test = TestContext()
    test.install(Exporter())

    let answer = test.request(RequestExport(name: "a"), timeout: .milliseconds(700))

    test.expect(RequestExport(name: "a"))
    test.expect(Exporting(percent: 50))
    guard case .failure(let failure) = answer else {
      Issue.record("it is answered after its time")
      return
    }
    #expect(failure.code == .timeout)
    test.expect(failure)
    test.advance(by: .seconds(5))
  }

  @Test func `a handler that sleeps at the end is told`() {
    withKnownIssue {
      let test = TestContext()
      test.install(Exporter())
      test.send(RequestExport(name: "a"))
      test.skip()
    } matching: { issue in
      issue.comments.map(\.rawValue).joined().contains("1 task of handlers asleep")
    }
  }

  @MainActor @Test func `in a test that awaits, too`() async throws {
    let test = TestContext(on: MainActor.shared)
    test.install(Exporter())
    test.install(Sizes())

    #expect(try await test.context.request(RequestSize(file: "abc")).size == 3)
    test.skip()
    test.send(RequestExport(name: "a"))
    test.advance(by: .seconds(1))
    test.expect(RequestExport(name: "a"))
    test.expect(Exporting(percent: 50))
    test.expect(Exporting(percent: 100))
    test.expect(ResponseExported(file: "a.pdf"))
  }

  @Test func `without a test context tasks sleep by the machine's clock`() async throws {
    let before = TaskClock.context.now
    try await Task.sleep(for: .milliseconds(2), clock: .context)
    #expect(before.duration(to: TaskClock.context.now) >= .milliseconds(2))
  }

  @MainActor @Test func `a virtual clock wakes tasks outside of tests, too`() async throws {
    let context = try Context(on: MainActor.shared, ContextOptions(clock: .virtual))
    let clock = context.clock
    var isAwake = false
    let sleeper = Task {
      try await clock.sleep(for: .seconds(1))
      isAwake = true
    }
    let cancelled = Task { try await clock.sleep(for: .seconds(60)) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    while !isAwake {
      await Task.yield()
      try context.advance(by: .milliseconds(500))
    }
    try await sleeper.value
    try context.close()
  }
}
