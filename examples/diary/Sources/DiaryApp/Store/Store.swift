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
      ResponseAccount(account: try store.file.write(request.account, signsIn: request.signsIn))
    }
    on.answer(RequestReadEntries.self) { try $0.read($1) }
    on.answer(RequestReadEntry.self) { store, request in
      try store.written(request.token) { try $0.entry(request.id, of: $1) }
    }
    on.answer(RequestWriteEntry.self) { store, request in
      try store.written(request.token) { file, nickname in
        guard let id = request.id else { return try file.add(request.text, of: nickname) }
        return try file.change(id, to: request.text, of: nickname)
      }
    }
    on.answer(RequestReadDraft.self) { store, request in
      let nickname = try store.nickname(request.token)
      return ResponseDraft(text: try store.file.draft(request.id, of: nickname))
    }
    on.answer(RequestWriteDraft.self) { store, request in
      let nickname = try store.nickname(request.token)
      try store.file.keep(request.text, as: request.id, of: nickname)
      return ResponseDraftKept()
    }
    on.answer(RequestEraseEntry.self) { store, request in
      try store.written(request.token) { try $0.erase(request.id, of: $1) }
    }
  }

  private func read(_ request: RequestReadEntries) throws(Failure) -> ResponseEntries {
    let nickname = try nickname(request.token)
    let page = try file.entries(of: nickname, before: request.before, count: request.count)
    return ResponseEntries(
      entries: page.entries, total: try file.total(of: nickname), isLast: page.isLast,
      keepsDrafts: true)
  }

  /// Does something to an entry, which may be gone.
  private func written(
    _ token: String, _ body: (DiaryFile, String) throws -> Entry?
  ) throws -> ResponseWritten {
    let nickname = try nickname(token)
    guard let entry = try body(file, nickname) else {
      throw Failure("NO_ENTRY", userMessage: "This entry is gone.")
    }
    return ResponseWritten(entry: entry, total: try file.total(of: nickname))
  }

  /// Whose token it is.
  private func nickname(_ token: String) throws(Failure) -> String {
    let account = try file.account()
    guard account.isSignedIn, account.token == token else {
      throw Failure("SIGNED_OUT", userMessage: "Please sign in.")
    }
    return account.nickname
  }
}
