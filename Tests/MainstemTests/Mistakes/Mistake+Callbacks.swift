// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

extension Mistake {
  /// Makes a call in an observer, and throws what it throws.
  private static func inCallback(
    _ context: Context, _ call: @escaping (Context) throws -> Void
  ) throws {
    let caught = Caught()
    let subscription = try context.observe(Said.self) { _, _ in caught.call { try call(context) } }
    try context.send(Said(words: "a"))
    subscription.cancel()
    try caught.rethrow()
  }

  static let ofCallbacks = [
    Mistake(
      "a wait in a callback",
      "BUSY: wait: a call that waits is not allowed inside a callback of the context: call it when the callback has returned"
    ) { context, _ in try inCallback(context) { try $0.wait() } },
    Mistake(
      "a drain in a callback",
      "BUSY: drain: a call that waits is not allowed inside a callback of the context: call it when the callback has returned"
    ) { context, _ in try inCallback(context) { try $0.drain() } },
    Mistake(
      "a close in a callback",
      "BUSY: close: a call that waits is not allowed inside a callback of the context: call it when the callback has returned"
    ) { context, _ in try inCallback(context) { try $0.close() } },
    Mistake(
      "a request that waits, in a callback",
      #"BUSY "flush: a call that waits is not allowed inside a callback of the context: call it when the callback has returned""#
    ) { context, _ in
      try inCallback(context) { _ = try $0.request(RequestGreet(name: "a")).get() }
    },
    Mistake(
      "an event that causes itself",
      "LIMIT: send: context: 65536 causes are the limit of a chain: continue a longer one from a timer"
    ) { context, _ in
      let caught = Caught()
      let subscription = try context.observe(Said.self) { said, _ in
        caught.call { try context.send(said) }
      }
      try context.send(Said(words: "a"))
      subscription.cancel()
      try caught.rethrow()
    },
  ]

  static let ofQueues = [
    Mistake("a queue of less than nothing", "INVALID: queue: limit: -1 is less than 0") {
      context, _ in _ = try context.mailbox(queue: .reject(limit: -1))
    },
    Mistake(
      "a queue that nobody drains",
      "FULL: send: the queue of a scheduled observer is full: drain it, or give it another policy"
    ) { context, _ in
      let subscription = try context.observe(Said.self, on: .host, queue: .reject(limit: 1)) {
        _, _ in
      }
      try context.send(Said(words: "a"))
      try context.send(Said(words: "b"))
      subscription.cancel()
    },
    Mistake("a scope for no observers", "INVALID: scope: observers: it needs at least 1") {
      context, _ in _ = try context.scope("Plugin", observers: 0)
    },
    Mistake(
      "one observer too many",
      "LIMIT: observe: context: scope Plugin may have 1 observers: its budget is used up; cancel one, or raise it"
    ) { context, _ in
      let scope = try context.scope("Plugin", observers: 1)
      let first = try scope.observe(Said.self) { _, _ in }
      let second = try scope.observe(Said.self) { _, _ in }
      withExtendedLifetime((first, second)) {}
    },
    Mistake(
      "a send without the right",
      "DENIED: send: context: scope Plugin may not send Said: layer app is outside its rights; allow it where the scope is added"
    ) { context, _ in
      try context.send(Said(words: "a"))
      try context.scope("Plugin", rights: Rights(sends: [.view])).send(Said(words: "b"))
    },
  ]

  static let ofJournals = [
    Mistake(
      "a recording begun late",
      "INVALID: record: context: has accepted events: start recording before the first"
    ) { context, folder in
      try context.send(Said(words: "a"))
      try context.record(to: folder.file("session"))
    },
    Mistake(
      "a journal that is there",
      "INVALID: record: path: session already exists: remove it, or record without isNew"
    ) { context, folder in
      Folder.write([], to: folder.file("session"))
      try context.record(to: folder.file("session"), options: JournalOptions(isNew: true))
    },
    Mistake(
      "a sync of what is not recorded",
      "INVALID: sync: context: is not recorded: call record(to:) first"
    ) { context, _ in try context.syncJournal() },
    Mistake(
      "a journal that is none",
      "CORRUPT: Journal: path: notes is not a journal, or its header is damaged: Journal.salvage copies what is left"
    ) { _, folder in
      Folder.write(
        "Milk, bread and butter, from the shop at the corner.".utf8, to: folder.file("notes"))
      _ = try Journal(folder.file("notes"))
    },
    Mistake(
      "a replay into a context that was used",
      "INVALID: replay: context: has accepted events: replay into a new context"
    ) { context, folder in
      let recorded = try Context()
      try recorded.record(to: folder.file("session"))
      try recorded.send(Said(words: "a"))
      try recorded.close()
      try context.send(Said(words: "a"))
      _ = try context.replay(folder.file("session"))
    },
  ]
}
