// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemSignals
import Testing

private struct ResponsePage: Response { var text = "page" }
private struct RequestPage: Request { typealias Answer = ResponsePage }
/// A page by way of another fetch.
private struct RequestFetchIndex: Request { typealias Answer = ResponsePage }

private struct RequestFetchAsking: Request { typealias Answer = ResponsePage }
private struct RequestFetchTwice: Request { typealias Answer = ResponsePage }
private struct RequestFetchAll: Request { typealias Answer = ResponsePage }
private struct RequestFetchInSteps: Request { typealias Answer = ResponsePage }
private struct RequestFetchSignal: Request { typealias Answer = ResponsePage }
private struct RequestFetchIndexed: Request { typealias Answer = ResponsePage }
private struct RequestFetchTask: Request { typealias Answer = ResponsePage }
private struct RequestUpdatePages: Request { typealias Answer = ResponsePage }

private struct Count: ScalarEvent {
  static let role = Role.value
  var value: Int
}

/// Where the value is changed.
private enum Place: CaseIterable { case nowhere, inSteps, byProvider }

/// A service whose handlers ask, each in another way.
private struct Library: Server {
  let place: Place

  static func handlers(_ on: inout Handlers<Self>) {
    on.effect(.fetch) { on in
      on.answer(
        RequestFetchAsking.self, asking: { _, _ in RequestPage() },
        then: { try $0.went($2, $3) })
      on.answer(
        RequestFetchTwice.self, asking: { _, _ in RequestPage() },
        then: { _, _, _ in RequestPage() },
        then: { library, _, _, page, delivery in
          try library.went(page, delivery)
        })
      on.answer(
        RequestFetchAll.self, askingAll: { _, _ in [RequestPage(), RequestPage()] },
        then: { try $0.went($2[1], $3) })
      on.answer(
        RequestFetchIndexed.self, asking: { _, _ in RequestFetchIndex() },
        then: { try $0.went($2, $3) })
      on.answer(RequestFetchInSteps.self) { _, _ in
        .ask(RequestPage()) { library, page, delivery in
          .done(try library.went(page, delivery))
        }
      }
      on.answer(
        RequestFetchSignal.self,
        signal: { library, _, context in
          let place = library.place
          return context.signal(asking: RequestPage()).map { page in
            if place == .inSteps { try? context.set(Count(value: -1)) }
            return page
          }
        })
      on.answer(RequestFetchTask.self) { _ async in ResponsePage() }
    }
    on.effect(.update) { on in
      on.answer(
        RequestUpdatePages.self, asking: { _, _ in RequestPage() },
        then: { _, _, page, delivery in
          try delivery.context.set(Count(value: 7))
          return page
        })
    }
  }

  private func went(
    _ page: ResponsePage, _ delivery: borrowing Delivery
  ) throws -> ResponsePage {
    if place == .inSteps { try delivery.context.set(Count(value: -1)) }
    return page
  }
}

/// What the service asks. It has the service's scope, and may do what the service does not want.
private struct Pages: Server {
  let place: Place

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestPage.self) { pages, _, delivery in
      if pages.place == .byProvider {
        try? delivery.context.find(Library.self).set(Count(value: -1))
      }
      return ResponsePage()
    }
    on.effect(.fetch) { on in
      on.answer(
        RequestFetchIndex.self, asking: { _, _ in RequestPage() }, then: { _, _, page in page })
    }
  }
}

/// A view model whose command asks the service.
private struct Reader: ViewModel {
  var text = ""

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("text", \.text)
    on.command(
      "open", asking: { _ in RequestFetchAsking() },
      then: { reader, page in reader.text = page.text })
  }
}

/// A context with all of them.
private final class World {
  let context: Context
  var seen: [String] = []
  private let subscriptions = Subscriptions()

  init(_ place: Place) throws {
    context = try Context()
    try context.addService(Library.self) { Library(place: place) }
    try context.install(Pages(place: place))
    subscriptions.keep(
      try context.observe(FailureReport.self) { [unowned self] report, _ in
        seen.append(report.message)
      })
    try context.find(Library.self).set(Count(value: 5))
  }

  var count: Int? { get throws { try context.find(Library.self).value(of: Count.self)?.value } }

  /// Asks; what the service's values and the reports say of it.
  func expect<R: Request>(_ request: R, _ place: Place) throws where R.Answer == ResponsePage {
    _ = context.request(request)
    #expect(try count == 5)
    let message = "Count changes while \(R.name) is handled, which is a fetch"
    // Each page that is asked for says it once.
    #expect(Set(seen) == (place == .nowhere ? [] : [message]), "\(R.name)")
    seen = []
  }
}

@Suite("Effects") struct EffectTests {
  @Test(arguments: Place.allCases)
  fileprivate func `A-66: however a fetch asks, what it asks is part of it`(place: Place) throws {
    try World(place).expect(RequestFetchAsking(), place)
    try World(place).expect(RequestFetchTwice(), place)
    try World(place).expect(RequestFetchInSteps(), place)
    try World(place).expect(RequestFetchSignal(), place)
    try World(place).expect(RequestFetchIndexed(), place)
    try World(place).expect(RequestFetchAll(), place)
  }

  @Test func `A-66: what updates may ask and change`() throws {
    let world = try World(.nowhere)
    #expect(try world.context.request(RequestUpdatePages()).get().text == "page")
    #expect(try world.count == 7)
    #expect(world.seen == [])
  }

  @Test(arguments: Place.allCases)
  fileprivate func `A-66: a fetch that a command asks for marks what it asks`(place: Place) throws {
    let world = try World(place)
    let reader = try world.context.open(Reader())
    var texts: [String] = []
    let view = try world.context.bind(to: reader) { rows in
      rows.show("text") { (text: String) in texts.append(text) }
    }
    _ = try view.run("open")
    try world.context.drain()
    #expect(try world.count == 5)
    let message = "Count changes while RequestFetchAsking is handled, which is a fetch"
    #expect(world.seen == (place == .nowhere ? [] : [message]))
    // What the view model shows is its own: it is no part of the fetch.
    #expect(texts == (place == .inSteps ? [""] : ["", "page"]))
    view.end()
  }

  @Test func `A-66: a task can be a fetch`() throws {
    let world = try World(.nowhere)
    #expect(try world.context.request(RequestFetchTask()).get().text == "page")
    #expect(world.seen == [])
  }

  @Test func `a command says no effect`() throws {
    struct Wrong: ViewModel {
      static func handlers(_ on: inout Handlers<Self>) {
        on.own { on in on.effect(.fetch) { on in on.command("load") { _ in } } }
      }
    }
    let error = #expect(throws: StreamError.self) { try Context().open(Wrong()) }
    #expect(error?.message.contains("the command load says an effect") == true)
  }

  @Test func `A-66: in a view model a name says no other effect`() throws {
    struct Wrong: ViewModel {
      static func handlers(_ on: inout Handlers<Self>) {
        on.effect(.reload) { on in on.answer(RequestFetchIndex.self) { _, _ in ResponsePage() } }
      }
    }
    let error = #expect(throws: StreamError.self) { try Context().open(Wrong()) }
    #expect(error?.message.contains("another effect") == true)
  }
}
