// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// The service that knows the entries. It tells when one comes, changes and goes, and how many there are.
struct Diary: Server {
  /// How many entries come at once.
  static let pageSize = 10

  /// How long it waits for the store.
  let patience: Duration
  private var total: Int?
  /// Who is signed in, as it was asked for last; empty: nobody.
  private var user = ""
  private var keepsDrafts = false
  /// Whether the last draft could not be kept: that is told once.
  private var losesDrafts = false
  private var today: Today?
  /// Goes off when the day has ended.
  private var midnight: EventTimer?

  init(patience: Duration) { self.patience = patience }

  static func handlers(_ on: inout Handlers<Self>) {
    on.effect(.reload) { on in
      on.answer(
        RequestReloadEntries.self, asks: [RequestUser.self, RequestReadUserEntries.self]
      ) {
        diary, _ in diary.read(before: nil)
      }
      on.answer(RequestReloadDay.self) { diary, _ in diary.readDay() }
    }
    on.effect(.loadMore) { on in
      on.answer(RequestLoadMoreEntries.self) { diary, request in
        diary.read(before: request.after)
      }
    }
    on.effect(.fetch) { on in
      on.answer(RequestFetchEntry.self, asks: [RequestReadUserEntry.self]) { diary, request in
        diary.asking {
          RequestReadUserEntry(user: $0, id: request.id)
        } then: { _, read, _ in
          ResponseEntry(entry: read.entry)
        }
      }
      on.answer(RequestFetchDraft.self, asks: [RequestReadUserDraft.self]) { diary, request in
        diary.asking {
          RequestReadUserDraft(user: $0, id: request.id)
        } then: { _, read, _ in
          read
        }
      }
    }
    on.effect(.perform) { on in
      on.answer(RequestCreateEntry.self, asks: [RequestWriteUserEntry.self]) { diary, request in
        diary.change {
          RequestWriteUserEntry(user: $0, id: nil, text: request.text)
        } tell: {
          EntryCreated(entry: $0)
        }
      }
      on.answer(RequestDeleteEntry.self, asks: [RequestEraseUserEntry.self]) { diary, request in
        diary.change {
          RequestEraseUserEntry(user: $0, id: request.id)
        } tell: {
          EntryDeleted(id: $0.id)
        }
      }
      on.answer(RequestDiscardDraft.self, asks: [RequestWriteUserDraft.self]) { diary, request in
        diary.asking {
          RequestWriteUserDraft(user: $0, id: request.id, text: nil)
        } then: { _, kept, _ in
          kept
        }
      }
    }
    on.effect(.update) { on in
      on.answer(RequestUpdateEntry.self) { diary, request in
        diary.change {
          RequestWriteUserEntry(user: $0, id: request.id, text: request.text)
        } tell: {
          EntryUpdated(entry: $0)
        }
      }
    }
    on.event(UserIsSignedIn.self) { diary, isSignedIn in
      if !isSignedIn.value { (diary.total, diary.user) = (nil, "") }
      return []
    }
    on.event(
      DraftChanged.self, timeout: .seconds(10), asking: { $0.keep($1) },
      then: { diary, _, _ in
        diary.losesDrafts = false
        return []
      }, failed: { $0.lost($2) })
    on.show { diary in
      var shown: [any Notice] = [DiaryTotal(count: diary.total)]
      if let today = diary.today { shown.append(DiaryToday(text: today.day)) }
      if diary.keepsDrafts { shown.append(DiaryKeepsDrafts(value: true)) }
      return shown
    }
  }

  private func keep(_ draft: DraftChanged) -> RequestWriteUserDraft? {
    user.isEmpty ? nil : RequestWriteUserDraft(user: user, id: draft.id, text: draft.text)
  }

  private mutating func lost(_ failure: Failure) -> [any Event] {
    defer { losesDrafts = true }
    let text = "What you type is not kept yet. \(failure.forUsers.userMessage)"
    return losesDrafts ? [] : [AlertRaised(text: text)]
  }

  private func read(before id: Int?) -> Next<Self, ResponsePage> {
    asking {
      RequestReadUserEntries(user: $0, before: id, count: Diary.pageSize)
    } then: { diary, read, delivery in
      (diary.total, diary.keepsDrafts) = (read.total, read.keepsDrafts ?? false)
      try diary.take(read.today, delivery)
      return ResponsePage(entries: read.entries, isLast: read.isLast)
    }
  }

  private func readDay() -> Next<Self, ResponseDay> {
    asking {
      RequestReadUserEntries(user: $0, before: nil, count: 0)
    } then: { diary, read, delivery in
      try diary.take(read.today, delivery)
      return ResponseDay()
    }
  }

  /// Says which day it is, and asks again when it has ended.
  private mutating func take(_ new: Today?, _ delivery: borrowing Delivery) throws {
    guard let new else { return }
    today = new
    midnight?.cancel()
    let now = Int(try delivery.context.now() / 1_000_000_000)
    let seconds = new.ends.map { $0 - now }
    midnight = try seconds.map {
      // A store whose day has ended and is the same asks for patience.
      try delivery.context.send(RequestReloadDay(), after: .seconds($0 > 0 ? $0 : 60))
    }
  }

  /// Changes an entry, and tells of it before it answers. This goes on when the page that asked is closed: the store
  /// may have done it.
  private func change<Q: Request, Told: Notice>(
    _ question: @escaping (String) -> Q, tell: @escaping (Entry) -> Told
  ) -> Next<Self, ResponseEntry> where Q.Answer == ResponseWritten {
    asking(question, goesOn: true) { diary, written, delivery in
      diary.total = written.total
      try delivery.context.send(tell(written.entry))
      return ResponseEntry(entry: written.entry)
    }
  }

  /// Asks the store in the name of who is signed in. While nobody is, the question waits at the gate, without haste.
  private func asking<Q: Request, Answer>(
    _ question: @escaping (String) -> Q, goesOn: Bool = false,
    then: @escaping (inout Self, Q.Answer, borrowing Delivery) throws -> Answer
  ) -> Next<Self, Answer> {
    .ask(RequestUser()) { diary, user in
      let account = user.account
      diary.user = account.isSignedIn ? account.nickname : ""
      let isSignedIn = account.isSignedIn
      return .ask(
        question(account.nickname), timeout: isSignedIn ? diary.patience : nil,
        goesOn: goesOn && isSignedIn
      ) { diary, answer, delivery in
        .done(try then(&diary, answer, delivery))
      } failed: { _, failure in
        throw failure.forUsers
      }
    }
  }
}
