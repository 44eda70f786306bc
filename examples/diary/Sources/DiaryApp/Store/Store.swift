// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// The provider: reads and writes a file for the services. On a ``SerialScheduler``, so a slow disk delays nothing else,
/// and its answers are inputs: whoever verifies a session needs no file.
struct Store: Server, @unchecked Sendable {
  // Unchecked: the file is this server's alone, and the scheduler runs one handler at a time.
  private let file: DiaryFile

  /// - Parameters:
  ///   - path: The file.
  ///   - day: The day of new entries; nil: today.
  init(path: String, day: Day? = nil) { file = DiaryFile(path: path, day: day) }

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestReadAccount.self) { store, _ in
      ResponseAccount(account: try store.file.account())
    }
    on.answer(RequestWriteAccount.self) { store, request in
      let account = try store.file.write(
        request.account, signsIn: request.signsIn, at: store.file.now())
      return ResponseAccount(account: account)
    }
    on.answer(RequestRenewSession.self) { store, _ in
      try store.file.renewSession(at: store.file.now())
      return ResponseSession()
    }
    on.answer(RequestReadEntries.self) { try $0.read($1) }
    on.answer(RequestReadEntry.self) { store, request in
      try store.written(request.user) {
        try $0.entry(request.id, of: request.user)
      }
    }
    on.answer(RequestWriteEntry.self) { store, request in
      try store.written(request.user) { file in
        guard let id = request.id else {
          return try file.add(request.text, of: request.user, at: file.now())
        }
        return try file.change(id, to: request.text, of: request.user)
      }
    }
    on.answer(RequestReadDraft.self) { store, request in
      try store.check(request.user)
      return ResponseDraft(text: try store.file.draft(request.id, of: request.user))
    }
    on.answer(RequestWriteDraft.self) { store, request in
      try store.check(request.user)
      try store.file.keep(request.text, as: request.id, of: request.user)
      return ResponseDraftKept()
    }
    on.answer(RequestEraseEntry.self) { store, request in
      try store.written(request.user) {
        try $0.erase(request.id, of: request.user)
      }
    }
  }

  private func read(_ request: RequestReadEntries) throws(Failure) -> ResponseEntries {
    try check(request.user)
    let page = try file.entries(of: request.user, before: request.before, count: request.count)
    return ResponseEntries(
      entries: page.entries, total: try file.total(of: request.user), isLast: page.isLast,
      keepsDrafts: true, today: try file.today(at: file.now()))
  }

  /// Does something to an entry, which may be gone.
  private func written(
    _ user: String, _ body: (DiaryFile) throws -> Entry?
  ) throws -> ResponseWritten {
    try check(user)
    guard let entry = try body(file) else {
      throw Failure("NO_ENTRY", userMessage: "This entry is gone.")
    }
    return ResponseWritten(entry: entry, total: try file.total(of: user))
  }

  /// Checks that the session is that of a user.
  private func check(_ user: String) throws(Failure) {
    guard let nickname = try file.nickname(at: file.now()) else {
      throw Failure("SESSION_ENDED", userMessage: SessionKeys.ended, code: .sessionEnded)
    }
    guard nickname == user else { throw Failure("ANOTHER_USER", userMessage: "Please sign in.") }
  }
}
