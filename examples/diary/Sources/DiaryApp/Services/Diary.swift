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
  /// Of who is signed in, as it was asked for last.
  private var token = ""
  private var keepsDrafts = false
  /// Whether the last draft could not be kept: that is told once.
  private var losesDrafts = false

  init(patience: Duration) { self.patience = patience }

  static func handlers(_ on: inout Handlers<Self>) {
    on.effect(.reload) { on in
      on.answer(
        RequestReloadEntries.self, asks: [RequestUser.self, RequestReadEntries.self]
      ) {
        diary, _ in diary.read(before: nil)
      }
    }
    on.effect(.loadMore) { on in
      on.answer(RequestLoadMoreEntries.self) { diary, request in
        diary.read(before: request.after)
      }
    }
    on.effect(.fetch) { on in
      on.answer(RequestFetchEntry.self, asks: [RequestReadEntry.self]) { diary, request in
        diary.asking {
          RequestReadEntry(token: $0, id: request.id)
        } then: { _, read, _ in
          ResponseEntry(entry: read.entry)
        }
      }
      on.answer(RequestFetchDraft.self, asks: [RequestReadDraft.self]) { diary, request in
        diary.asking {
          RequestReadDraft(token: $0, id: request.id)
        } then: { _, read, _ in
          read
        }
      }
    }
    on.effect(.perform) { on in
      on.answer(RequestCreateEntry.self, asks: [RequestWriteEntry.self]) { diary, request in
        diary.change {
          RequestWriteEntry(token: $0, id: nil, text: request.text)
        } tell: {
          EntryCreated(entry: $0)
        }
      }
      on.answer(RequestDeleteEntry.self, asks: [RequestEraseEntry.self]) { diary, request in
        diary.change {
          RequestEraseEntry(token: $0, id: request.id)
        } tell: {
          EntryDeleted(id: $0.id)
        }
      }
      on.answer(RequestDiscardDraft.self, asks: [RequestWriteDraft.self]) { diary, request in
        diary.asking {
          RequestWriteDraft(token: $0, id: request.id, text: nil)
        } then: { _, kept, _ in
          kept
        }
      }
    }
    on.effect(.update) { on in
      on.answer(RequestUpdateEntry.self) { diary, request in
        diary.change {
          RequestWriteEntry(token: $0, id: request.id, text: request.text)
        } tell: {
          EntryUpdated(entry: $0)
        }
      }
    }
    on.event(UserIsSignedIn.self) { diary, isSignedIn in
      if !isSignedIn.value { (diary.total, diary.token) = (nil, "") }
      return []
    }
    on.event(
      DraftChanged.self, timeout: .seconds(10), asking: { $0.keep($1) },
      then: { diary, _, _ in
        diary.losesDrafts = false
        return []
      }, failed: { $0.lost($2) })
    on.show { diary in
      let total = DiaryTotal(count: diary.total)
      return diary.keepsDrafts ? [total, DiaryKeepsDrafts(value: true)] : [total]
    }
  }

  private func keep(_ draft: DraftChanged) -> RequestWriteDraft? {
    token.isEmpty ? nil : RequestWriteDraft(token: token, id: draft.id, text: draft.text)
  }

  private mutating func lost(_ failure: Failure) -> [any Event] {
    defer { losesDrafts = true }
    let text = "What you type is not kept yet. \(failure.forUsers.userMessage)"
    return losesDrafts ? [] : [AlertRaised(text: text)]
  }

  private func read(before id: Int?) -> Next<Self, ResponsePage> {
    asking {
      RequestReadEntries(token: $0, before: id, count: Diary.pageSize)
    } then: { diary, read, _ in
      (diary.total, diary.keepsDrafts) = (read.total, read.keepsDrafts ?? false)
      return ResponsePage(entries: read.entries, isLast: read.isLast)
    }
  }

  /// Changes an entry, and tells of it before it answers.
  private func change<Q: Request, Told: Notice>(
    _ question: @escaping (String) -> Q, tell: @escaping (Entry) -> Told
  ) -> Next<Self, ResponseEntry> where Q.Answer == ResponseWritten {
    asking(question) { diary, written, delivery in
      diary.total = written.total
      try delivery.context.send(tell(written.entry))
      return ResponseEntry(entry: written.entry)
    }
  }

  /// Asks the store in the name of who is signed in.
  private func asking<Q: Request, Answer>(
    _ question: @escaping (String) -> Q,
    then: @escaping (inout Self, Q.Answer, borrowing Delivery) throws -> Answer
  ) -> Next<Self, Answer> {
    .ask(RequestUser()) { diary, user in
      guard user.account.isSignedIn else {
        throw Failure("SIGNED_OUT", userMessage: "Please sign in.")
      }
      diary.token = user.account.token
      return .ask(question(user.account.token), timeout: diary.patience) {
        diary, answer, delivery in
        .done(try then(&diary, answer, delivery))
      } failed: { _, failure in
        throw failure.forUsers
      }
    }
  }
}
