// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemSignals

/// The list of entries: page by page, the newest first.
struct DiaryList: Reactor {
  enum Action { case refresh, more, pick(Int), write, menu }

  enum Mutation: Codable, Equatable {
    case loading(isOn: Bool)
    case loadingMore(isOn: Bool)
    case page(number: Int, entries: [Entry], isLast: Bool)
    case alert(text: String)
    // What is heard of the services.
    case created(Entry)
    case updated(Entry)
    case deleted(id: Int)
    case total(Int?)
    case today(String)
    case nickname(String)
    case signedOut
    // What the user wants, and somebody else knows how.
    case picked(id: Int)
    case writePressed
    case menuPressed
  }

  struct State: Codable, Equatable {
    var isLoading = false
    var isMoreLoading = false
    var noMore = false
    /// Nil: nothing is known yet. Empty: there are none.
    var rows: [EntryRow]?
    /// As 2026-11-23; empty: not known.
    var today = ""
    /// The number of the last page.
    var page = 0
    var total: Int?
    var nickname = ""
  }

  var state = State()

  func mutate(_ action: Action) -> Signal<Mutation, Failure> {
    switch action {
    case .refresh:
      page(1, RequestReloadEntries())
        .startWith(.loading(isOn: true)).concat(.just(.loading(isOn: false)))
    case .more:
      page(state.page + 1, RequestLoadMoreEntries(after: state.rows?.last?.id ?? 0))
        .startWith(.loadingMore(isOn: true)).concat(.just(.loadingMore(isOn: false)))
    case .pick(let id): id > 0 ? .just(.picked(id: id)) : .empty
    case .write: .just(.writePressed)
    case .menu: .just(.menuPressed)
    }
  }

  private func page<Q: Request>(_ number: Int, _ request: Q) -> Signal<Mutation, Failure>
  where Q.Answer == ResponsePage {
    asking(request)
      .map { .page(number: number, entries: $0.entries, isLast: $0.isLast) }
      .catch { .just(.alert(text: $0.userMessage)) }
  }

  static func reduce(_ state: inout State, _ mutation: Mutation) {
    switch mutation {
    // Whoever loads the first page does not load a next one any more.
    case .loading(let isOn): (state.isLoading, state.isMoreLoading) = (isOn, false)
    case .loadingMore(let isOn): state.isMoreLoading = isOn
    case .page(let number, let entries, let isLast):
      let today = Day(state.today)
      if number == 1 { state.rows = [] }
      state.rows = (state.rows ?? []) + entries.map { EntryRow($0, on: today) }
      (state.page, state.noMore) = (number, isLast)
    case .created(let entry): state.rows?.add(EntryRow(entry, on: Day(state.today)))
    case .updated(let entry):
      if let place = state.rows?.firstIndex(where: { $0.id == entry.id }) {
        state.rows?[place] = EntryRow(entry, on: Day(state.today))
      }
    case .deleted(let id): state.rows?.removeAll { $0.id == id }
    case .total(let total): state.total = total
    case .today(let text):
      let today = Day(text)
      state.today = text
      state.rows = state.rows?.map { $0.on(today) }
    case .nickname(let nickname): state.nickname = nickname
    case .signedOut: (state.rows, state.page, state.noMore) = (nil, 0, false)
    case .alert, .picked, .writePressed, .menuPressed: break
    }
  }

  static func shown(_ on: inout Shown<Self>) {
    on.shows("isLoading", \.isLoading)
    on.shows("isMoreLoading", \.isMoreLoading)
    on.shows("noMore", \.noMore)
    on.shows("isKnown", \.isKnown)
    on.list("rows", of: \.rows) { $0.rows ?? [] }
    on.shows("title", \.title)
    on.shows("footer", \.footer)
    on.shows("canMore", \.canMore)
    on.pulse("alertMessage") { if case .alert(let text) = $0 { text } else { nil } }
    on.pulse("picked") { if case .picked(let id) = $0 { id } else { nil } }
    on.pulse("writePressed") { $0 == .writePressed ? true : nil }
    on.pulse("menuPressed") { $0 == .menuPressed ? true : nil }
    on.action("refresh", .refresh, policy: .latest, asks: [RequestReloadEntries.self])
    on.action(
      "more", .more, enabled: \.canMore, cancelledBy: "refresh", asks: [RequestLoadMoreEntries.self]
    )
    on.action("pick", Action.pick)
    on.action("write", .write)
    on.action("menu", .menu)
    on.merges(EntryCreated.self) { .created($1.entry) }
    on.merges(EntryUpdated.self) { .updated($1.entry) }
    on.merges(EntryDeleted.self) { .deleted(id: $1.id) }
    on.merges(DiaryTotal.self) { .total($1.count) }
    on.merges(DiaryToday.self) { .today($1.text) }
    on.merges(UserNickname.self) { .nickname($1.text) }
    on.merges(AlertRaised.self) { .alert(text: $1.text) }
    on.merges(UserIsSignedIn.self) { $1.value ? nil : .signedOut }
    on.opened("refresh")
  }
}

/// What views see beside what is there.
extension DiaryList.State {
  var isKnown: Bool { rows != nil }
  var canMore: Bool { isKnown && !noMore && !isLoading }

  var title: String {
    guard let total else { return "A diary" }
    return "\(nickname)'s diary: \(total) \(total == 1 ? "entry" : "entries")"
  }

  /// What stands below the last entry.
  var footer: String {
    if isLoading || isMoreLoading { return "Loading …" }
    guard let rows else { return "" }
    return rows.isEmpty ? "Nothing is written yet." : noMore ? "" : "There is more."
  }
}

extension [EntryRow] {
  /// Adds the newest entry, which may be there already.
  fileprivate mutating func add(_ row: EntryRow) {
    if let first, first.id >= row.id { removeAll { $0.id == row.id } }
    insert(row, at: 0)
  }
}
