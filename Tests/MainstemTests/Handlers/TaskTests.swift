// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct RequestPage: Request {
  typealias Answer = ResponsePage
  var address: String
}
private struct ResponsePage: Response { var text: String }
private struct Began: Notice { var address: String }

/// A page that comes when a test lets it, and that tells when its task was cancelled.
private actor Gate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private(set) var began = 0
  private(set) var cancelled = 0

  func pass() async {
    began += 1
    if !isOpen { await withCheckedContinuation { waiters.append($0) } }
    if Task.isCancelled { cancelled += 1 }
  }

  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}

private struct Library: Server {
  let gate: Gate

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(
      RequestPage.self,
      task: { server, request, reply in
        try reply.progress(Began(address: request.address))
        await server.gate.pass()
        guard request.address != "nowhere" else { throw Failure("NO_PAGE", code: 1001) }
        return ResponsePage(text: "about \(request.address)")
      })
  }
}

private struct Echo: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestPage.self) { request async throws in
      await Task.yield()
      return ResponsePage(text: request.address)
    }
  }
}

@MainActor @Suite("A handler that awaits") struct TaskTests {
  @Test func `it answers when its task returns`() async throws {
    let context = try Context(on: MainActor.shared)
    try context.install(Echo())

    for number in 1...20 {
      #expect(try await context.request(RequestPage(address: "\(number)")).text == "\(number)")
    }
    try context.close()
  }

  @Test func `it reports progress, and what it throws is the failure`() async throws {
    let context = try Context(on: MainActor.shared)
    let gate = Gate()
    try context.install(Library(gate: gate))
    var steps: [String] = []
    let subscription = try context.observe(Began.self) { step, _ in steps.append(step.address) }
    await gate.open()

    #expect(try await context.request(RequestPage(address: "tea")).text == "about tea")
    await #expect(throws: Failure("NO_PAGE", code: 1001)) {
      try await context.request(RequestPage(address: "nowhere"))
    }
    #expect(steps == ["tea", "nowhere"])
    subscription.cancel()
    try context.close()
  }

  @Test func `it is cancelled when nobody waits any more`() async throws {
    let context = try Context(on: MainActor.shared, ContextOptions(clock: .virtual))
    let gate = Gate()
    try context.install(Library(gate: gate))

    let late = Task {
      try await context.request(RequestPage(address: "tea"), timeout: .seconds(1))
    }
    while await gate.began < 1 { await Task.yield() }
    try context.advance(by: .seconds(1))
    await #expect(throws: Failure.self) { try await late.value }
    let task = Task { try await context.request(RequestPage(address: "milk")) }
    while await gate.began < 2 { await Task.yield() }
    task.cancel()
    await #expect(throws: Failure.self) { try await task.value }
    #expect(context.firstError == nil)
    try context.request(RequestPage(address: "bread")) { _, _ in }
    while await gate.began < 3 { await Task.yield() }
    try context.close()

    await gate.open()
    while await gate.cancelled < 3 { await Task.yield() }
  }

  @Test func `an answer that comes too late is no error`() async throws {
    let context = try Context(on: MainActor.shared)
    let gate = Gate()
    try context.install(Library(gate: gate))
    for (count, address) in ["tea", "nowhere"].enumerated() {
      let pending = try context.request(RequestPage(address: address)) { _, _ in }
      while await gate.began == count { await Task.yield() }
      pending.cancel()
    }

    await gate.open()
    while try context.stats().retained > 0 { await Task.yield() }

    #expect(context.firstError == nil)
    try context.close()
  }

  @Test func `a test context awaits it`() async throws {
    let test = TestContext(on: MainActor.shared)
    test.install(Echo())

    #expect(try await test.context.request(RequestPage(address: "tea")).text == "tea")
    test.expect(RequestPage(address: "tea"))
    test.expect(ResponsePage(text: "tea"))
    test.expectNothing()
  }

  @Test func `a replay does not start it: the journal has its answer`() async throws {
    let folder = Folder()
    let (path, gate) = (folder.file("session"), Gate())
    await gate.open()
    var lines: [String] = []
    do {
      let context = try Context(on: MainActor.shared)
      try context.record(to: path)
      try context.install(Library(gate: gate))
      let watching = try context.observe { lines.append($0.line) }
      _ = try await context.request(RequestPage(address: "tea"))
      watching.cancel()
      try context.close()
    }
    #expect(lines.count == 3)
    let began = await gate.began

    var again: [String] = []
    let context = try Context(on: MainActor.shared)
    let replay = try context.replay(path, mode: .verify)
    try context.install(Library(gate: gate))
    let watching = try context.observe { again.append($0.line) }
    try replay.toEnd()
    #expect(again == lines)
    #expect(await gate.began == began)
    watching.cancel()
    try context.close()
  }
}
