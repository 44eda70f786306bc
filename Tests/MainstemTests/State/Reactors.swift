// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemSignals

/// The reactors of Tests/scenarios/reactors.txt: a counter, a stopwatch, alerts, a feed.
enum Reactors {
  /// Goes up and down.
  struct Counter: Reactor {
    enum Action { case up, down }
    struct State: Codable, Equatable { var count = 0 }
    var state = State()

    func mutate(_ action: Action) -> Signal<Int, Failure> {
      switch action {
      case .up: .just(+1)
      case .down: .just(-1)
      }
    }

    static func reduce(_ state: inout State, _ by: Int) { state.count += by }

    static func shown(_ on: inout Shown<Self>) {
      on.shows("count", \.count)
      on.action("up", .up)
      on.action("down", .down)
    }
  }

  /// Each second is a mutation of the run that started it.
  struct Stopwatch: Reactor {
    enum Action { case start, stop }
    struct Tick: Codable {}
    struct State: Codable { var seconds = 0 }
    var state = State()

    func mutate(_ action: Action) -> Signal<Tick, Failure> {
      switch action {
      case .start: Signal.every(.seconds(1)).map { _ in Tick() }
      case .stop: .empty
      }
    }

    static func reduce(_ state: inout State, _ tick: Tick) { state.seconds += 1 }

    static func shown(_ on: inout Shown<Self>) {
      on.shows("seconds", \.seconds)
      on.action("start", .start, cancelledBy: "stop")
      on.action("stop", .stop)
    }
  }

  /// Each alert is seen once, also the same one again.
  struct Alerts: Reactor {
    enum Action { case tell(String), other, silence }
    struct State: Codable { var others = 0 }
    var state = State()

    func mutate(_ action: Action) -> Signal<String, Failure> {
      switch action {
      case .tell(let text): .just(text)
      case .other: .just("+")
      case .silence: .just("")
      }
    }

    static func reduce(_ state: inout State, _ text: String) {
      if text == "+" { state.others += 1 }
    }

    static func shown(_ on: inout Shown<Self>) {
      on.shows("others", \.others)
      on.pulse("alert") { text in text.isEmpty || text == "+" ? nil : text }
      on.action("tell", Action.tell)
      on.action("other", .other)
      on.action("silence", .silence)
    }
  }

  struct ResponsePage: Response { var text: String }
  struct RequestPage: Request {
    typealias Answer = ResponsePage
    var number: Int
  }

  /// One request per page; more only where there is more; a refresh ends what loads more.
  struct Feed: Reactor {
    enum Action { case refresh, more }
    enum Mutation: Codable, Equatable {
      case loading(isOn: Bool)
      case loadingMore(isOn: Bool)
      case page(number: Int, items: String)
      case failed(text: String)
    }
    struct State: Codable, Equatable {
      var isLoading = false
      var isLoadingMore = false
      var noMore = false
      var items = ""
      var page = 0
      var canMore: Bool { page > 0 && !noMore && !isLoading }
    }
    var state = State()

    func mutate(_ action: Action) -> Signal<Mutation, Failure> {
      switch action {
      case .refresh:
        page(1).catch { .just(.failed(text: $0.userMessage)) }
          .startWith(.loading(isOn: true)).concat(.just(.loading(isOn: false)))
      case .more:
        page(state.page + 1)
          .startWith(.loadingMore(isOn: true)).concat(.just(.loadingMore(isOn: false)))
      }
    }

    private func page(_ number: Int) -> Signal<Mutation, Failure> {
      asking(RequestPage(number: number)).map { .page(number: number, items: $0.text) }
    }

    static func reduce(_ state: inout State, _ mutation: Mutation) {
      switch mutation {
      case .loading(let isOn): (state.isLoading, state.isLoadingMore) = (isOn, false)
      case .loadingMore(let isOn): state.isLoadingMore = isOn
      case .page(let number, let items):
        (state.page, state.noMore) = (number, items.isEmpty)
        if number == 1 {
          state.items = items
        } else if !items.isEmpty {
          state.items += ",\(items)"
        }
      case .failed: break
      }
    }

    static func shown(_ on: inout Shown<Self>) {
      on.shows("isLoading", \.isLoading)
      on.shows("isLoadingMore", \.isLoadingMore)
      on.shows("noMore", \.noMore)
      on.shows("items", \.items)
      on.shows("canMore", \.canMore)
      on.pulse("alert") { if case .failed(let text) = $0 { text } else { nil } }
      on.action("refresh", .refresh, policy: .latest)
      on.action("more", .more, enabled: \.canMore, cancelledBy: "refresh")
    }
  }

  /// Keeps the requests for pages; a test answers them, the oldest first.
  final class Pages {
    private(set) var asked: [RequestPage] = []
    private var waiting: [Reply<RequestPage>] = []

    fileprivate func keep(_ request: RequestPage, _ reply: Reply<RequestPage>) {
      asked.append(request)
      waiting.append(reply)
    }

    /// Answers; what a run that has ended asked for was given up.
    func answer(_ text: String) { try? waiting.removeFirst().respond(ResponsePage(text: text)) }

    func fail(_ text: String) {
      try? waiting.removeFirst().fail(Failure("OFFLINE", userMessage: text))
    }
  }

  struct PageServer: Server {
    static var name: String { "Pages" }
    let pages: Pages

    static func handlers(_ on: inout Handlers<Self>) {
      on.event(RequestPage.self) { server, request, delivery in
        server.pages.keep(request, try delivery.reply(to: RequestPage.self))
        return []
      }
    }
  }
}
