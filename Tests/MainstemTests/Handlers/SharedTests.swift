// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct RequestImage: Request {
  typealias Answer = ResponseImage
  var address: String
}
private struct ResponseImage: Response, Equatable { var pixels: Int }
private struct Loaded: Notice { var percent: Int }
private struct RequestRow: Request {
  typealias Answer = ResponseImage
  var number: Int
}

private final class Work {
  var replies: [Reply<RequestImage>] = []
  var stopped = 0
}

/// Loads when a test lets it.
private struct Loader: Server {
  let work: Work

  static func handlers(_ on: inout Handlers<Self>) {
    on.event(RequestImage.self) { server, _, delivery in
      let isShared = delivery.isShared
      #expect(!isShared)
      let work = server.work
      work.replies.append(try delivery.reply(to: RequestImage.self))
      try delivery.onSettled { work.stopped += 1 }
      return []
    }
  }
}

/// Asks for the same image, whatever its row.
private struct Rows: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestRow.self) { _, _ in
      .ask(RequestImage(address: "a"), shared: true) { _, image in .done(image) }
    }
  }
}

@Suite("Shared requests") struct SharedTests {
  @Test func `A-54: three askers are one start, and each has its answer`() throws {
    let context = try Context()
    let work = Work()
    try context.install(Loader(work: work))
    var (answers, seen, steps) = ([Int](), [Bool](), [Int]())
    let observed = try context.observe(ResponseImage.self) { _, delivery in
      seen.append(delivery.isShared)
    }

    for number in 0..<3 {
      try context.request(RequestImage(address: "a"), shared: true, progress: Loaded.self) {
        loaded, _ in
        steps.append(loaded.percent + number)
      } answer: { result, _ in
        answers.append(((try? result.get())?.pixels ?? 0) + number)
      }
    }
    try context.request(RequestImage(address: "b"), shared: true) { _, _ in }
    #expect(work.replies.count == 2)
    try work.replies[0].progress(Loaded(percent: 50))
    try work.replies[0].respond(ResponseImage(pixels: 100))

    #expect(steps == [50, 51, 52])
    #expect(answers == [100, 101, 102])
    #expect(seen == [false, true, true, true])
    #expect(work.stopped == 0)
    observed.cancel()
  }

  @Test func `the last to give up stops the work`() throws {
    let context = try Context()
    let work = Work()
    try context.install(Loader(work: work))
    let first = try context.request(RequestImage(address: "a"), shared: true) { _, _ in }
    let second = try context.request(RequestImage(address: "a"), shared: true) { _, _ in }

    first.cancel()
    #expect(work.stopped == 0)
    second.cancel()

    #expect(work.stopped == 1)
    #expect(try context.stats().requests == 0)
  }

  @Test func `handlers ask together too`() throws {
    let context = try Context()
    let work = Work()
    try context.install(Loader(work: work))
    try context.install(Rows())
    var answers = [ResponseImage]()

    for number in 0..<3 {
      try context.request(RequestRow(number: number)) { result, _ in
        if case .success(let image) = result { answers.append(image) }
      }
    }
    #expect(work.replies.count == 1)
    try work.replies[0].respond(ResponseImage(pixels: 7))

    #expect(answers == [ResponseImage](repeating: ResponseImage(pixels: 7), count: 3))
  }

  @Test func `each has its own time`() throws {
    let test = TestContext()
    let work = Work()
    try test.context.install(Loader(work: work))
    test.keep()

    let answer = test.request(RequestImage(address: "a"), timeout: .seconds(1), shared: true)

    #expect(throws: Failure.self) { try answer.get() }
    #expect(work.stopped == 1)
    test.skip()
  }

  @MainActor @Test func `awaited they wait for one answer`() async throws {
    let context = try Context(on: MainActor.shared)
    let work = Work()
    try context.install(Loader(work: work))

    let asking = (0..<2).map { _ in
      Task { try await context.request(RequestImage(address: "a"), shared: true).pixels }
    }
    while try context.stats().requests < 3 { await Task.yield() }
    #expect(work.replies.count == 1)
    try work.replies[0].respond(ResponseImage(pixels: 1))

    for each in asking { #expect(try await each.value == 1) }
    try context.close()
  }
}
