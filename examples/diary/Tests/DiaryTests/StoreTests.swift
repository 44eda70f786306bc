// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Mainstem
import Testing

@testable import DiaryApp

@Suite("Store") struct StoreTests {
  private let path = NSTemporaryDirectory() + "diary-\(UUID().uuidString).sqlite"

  private func opened(_ body: (DiaryFile) throws -> Void) throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(DiaryFile(path: path, day: Day("2026-11-23")))
  }

  @Test func `the user is the same at the next visit`() throws {
    try opened { file in
      #expect(try file.account() == Account())
      let account = Account(nickname: "Ada", hasAgreed: true)
      let signed = try file.write(account, signsIn: true)
      #expect(signed.isSignedIn)
      #expect(try DiaryFile(path: path, day: nil).account() == signed)
      #expect(try file.write(account, signsIn: false) == account)
      #expect(try file.write(account, signsIn: true).token != signed.token)
    }
  }

  @Test func `pages follow each other without holes and repeats, whatever is written meanwhile`()
    throws
  {
    try opened { file in
      for day in 1...7 { _ = try file.add("Day \(day)", of: "Ada") }
      _ = try file.add("Of another", of: "Ben")
      let first = try file.entries(of: "Ada", before: nil, count: 3)
      #expect(first.entries.map(\.id) == [7, 6, 5])
      _ = try file.add("Day 8", of: "Ada")
      _ = try file.erase(6, of: "Ada")
      let second = try file.entries(of: "Ada", before: 5, count: 3)
      #expect(second.entries.map(\.id) == [4, 3, 2])
      #expect(!second.isLast)
      let third = try file.entries(of: "Ada", before: 2, count: 3)
      #expect(third.entries.map(\.id) == [1])
      #expect(third.isLast)
      #expect(try file.total(of: "Ada") == 7)
    }
  }

  @Test func `an entry is read, changed and erased by whose it is`() throws {
    try opened { file in
      let entry = try #require(try file.add("Rain — all day.", of: "Ada"))
      #expect(entry == Entry(id: 1, day: "2026-11-23", text: "Rain — all day."))
      #expect(try file.entry(1, of: "Ben") == nil)
      #expect(try file.change(1, to: "Sun.", of: "Ben") == nil)
      #expect(try file.change(1, to: "Sun.", of: "Ada")?.text == "Sun.")
      #expect(try file.erase(1, of: "Ben") == nil)
      #expect(try file.erase(1, of: "Ada")?.id == 1)
      #expect(try file.add("A new one", of: "Ada")?.id == 2)
    }
  }

  @Test func `a file that cannot be used is a failure, and the next call tries again`() throws {
    let file = DiaryFile(path: "/nowhere/diary.sqlite", day: nil)
    for _ in 1...2 {
      #expect(throws: Failure.self) { try file.account() }
    }
  }
}
