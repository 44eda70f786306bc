// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Mainstem
import Testing

private struct ResponsePage: Response, Equatable { var text: String }
private struct RequestPage: Request { typealias Answer = ResponsePage }

/// An asynchronous API: it is done when the test says so, on a thread of its own.
private final class API: Sendable {
  private let kept = Guarded<Reply<RequestPage>?>(nil)
  private let begun = DispatchSemaphore(value: 0)
  private let givenUp = DispatchSemaphore(value: 0)

  func begin(_ reply: Reply<RequestPage>) {
    kept.change { $0 = reply }
    begun.signal()
  }
  func giveUp() { givenUp.signal() }

  func waitUntilBegun() { begun.wait() }
  func waitUntilGivenUp() { givenUp.wait() }

  /// Completes on another thread, and returns what the completion was told.
  func complete() -> Status {
    let (told, done) = (Guarded(Status.ok), DispatchSemaphore(value: 0))
    DispatchQueue.global().async { [self] in
      do throws(StreamError) { try kept.value?.respond(ResponsePage(text: "done")) } catch {
        told.change { $0 = error.status }
      }
      done.signal()
    }
    done.wait()
    return told.value
  }
}

/// A server on a scheduler that wraps the API.
private struct Provider: Server, Sendable {
  let api: API
  static func handlers(_ on: inout Handlers<Self>) {
    on.event(RequestPage.self) { server, _, delivery in
      let api = server.api
      try delivery.onSettled { api.giveUp() }
      api.begin(try delivery.reply(to: RequestPage.self))
      return []
    }
  }
}

@Suite("Provider")
struct ProviderTests {
  private let api = API()

  private func provided(_ options: ContextOptions = ContextOptions()) throws -> Context {
    let context = try Context(options)
    try context.install(Provider(api: api), on: try context.serial("provider"))
    return context
  }

  @Test func `completed elsewhere, it is delivered where it is wanted (A-71)`() throws {
    let context = try provided()
    var threads: [UInt] = []
    try context.request(RequestPage(), on: .host) { _, _ in threads.append(UInt(pthread_self())) }
    api.waitUntilBegun()

    #expect(api.complete() == .ok)
    #expect(threads == [])
    try context.wait()
    #expect(threads == [UInt(pthread_self())])

    let (there, done) = (Guarded<UInt>(0), DispatchSemaphore(value: 0))
    try context.request(RequestPage(), on: try context.serial("asker")) { _, _ in
      there.change { $0 = UInt(pthread_self()) }
      done.signal()
    }
    api.waitUntilBegun()
    #expect(api.complete() == .ok)
    try context.wait()
    done.wait()
    #expect(there.value != UInt(pthread_self()))
  }

  @Test func `completed twice, the second is refused (A-71)`() throws {
    let context = try provided()
    var answers: [Result<ResponsePage, Failure>] = []
    try context.request(RequestPage()) { answer, _ in answers.append(answer) }
    api.waitUntilBegun()

    #expect(api.complete() == .ok)
    #expect(api.complete() == .stale)
    try context.wait()
    #expect(api.complete() == .stale)
    try context.drain()

    #expect(try answers.map { try $0.get() } == [ResponsePage(text: "done")])
  }

  @Test func `completed after a cancel, it is ignored (A-71)`() throws {
    let context = try provided()
    var answers: [Result<ResponsePage, Failure>] = []
    let pending = try context.request(RequestPage()) { answer, _ in answers.append(answer) }
    api.waitUntilBegun()

    pending.cancel()
    api.waitUntilGivenUp()
    #expect(api.complete() == .stale)
    try context.drain()

    #expect(answers.map(\.status) == [.cancelled])
  }

  @Test func `never completed, it times out (A-71)`() throws {
    let context = try provided(ContextOptions(clock: .virtual))
    var answers: [Result<ResponsePage, Failure>] = []
    try context.request(RequestPage(), timeout: .milliseconds(100)) { answer, _ in
      answers.append(answer)
    }

    try context.advance(by: .milliseconds(99))
    api.waitUntilBegun()
    #expect(answers.isEmpty)
    try context.advance(by: .milliseconds(1))
    try context.drain()

    #expect(answers.map(\.status) == [.timeout])
    api.waitUntilGivenUp()
    #expect(api.complete() == .stale)
  }
}

extension Result where Failure == Mainstem.Failure {
  fileprivate var status: Status {
    switch self {
    case .success: .ok
    case .failure(let failure): failure.code
    }
  }
}
