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
      let ada = Account(isSignedIn: true, nickname: "Ada", hasAgreed: true)
      let signed = try file.write(ada, signsIn: true, at: 0)
      #expect(signed == ada)
      #expect(try DiaryFile(path: path, day: nil).account() == ada)
      let out = Account(nickname: "Ada", hasAgreed: true)
      #expect(try file.write(out, signsIn: false, at: 0) == out)
      #expect(try DiaryFile(path: path, day: nil).account() == out)
    }
  }

  @Test func `a session ends after half an hour, and is renewed for who is signed in`() throws {
    try opened { file in
      let ada = Account(isSignedIn: true, nickname: "Ada", hasAgreed: true)
      #expect(try file.nickname(at: 0) == nil)
      _ = try file.write(ada, signsIn: true, at: 0)
      #expect(try file.nickname(at: minutes(29)) == "Ada")
      #expect(try file.nickname(at: minutes(30)) == nil)
      try file.renewSession(at: minutes(30))
      #expect(try file.nickname(at: minutes(59)) == "Ada")

      let next = DiaryFile(path: path, day: nil)  // the next visit
      #expect(try next.account() == ada)
      #expect(try next.nickname(at: minutes(59)) == nil)
      try next.renewSession(at: minutes(59))
      #expect(try next.nickname(at: minutes(59)) == "Ada")
      #expect(try file.nickname(at: minutes(59)) == "Ada")
    }
  }

  @Test(arguments: ["", "Ada", "Ben"])
  func `another program signs out, or signs in: this session ends for good`(_ name: String) throws {
    try opened { file in
      let ada = Account(isSignedIn: true, nickname: "Ada", hasAgreed: true)
      _ = try file.write(ada, signsIn: true, at: 0)
      let other = DiaryFile(path: path, day: nil)
      _ = try other.account()
      let account = Account(isSignedIn: !name.isEmpty, nickname: name, hasAgreed: true)
      _ = try other.write(account, signsIn: !name.isEmpty, at: 0)
      #expect(try file.nickname(at: 0) == nil)
      #expect(throws: Failure.self) { try file.renewSession(at: 0) }
      _ = try file.write(ada, signsIn: true, at: 0)
      #expect(try file.nickname(at: 0) == "Ada")
    }
  }

  @Test func `a day ends at midnight, and one that is given does not end`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = DiaryFile(path: path, day: nil)
    let time = minutes(29_900_000)  // in 2026
    let today = try file.today(at: time)
    let ends = try #require(today.ends)
    #expect(today.day.hasPrefix("2026-11-0"))
    #expect((1...25 * 3600).contains(ends - time))
    let next = try file.today(at: ends)
    #expect(try file.today(at: ends - 1) == today)
    #expect(Day(next.day)?.words(on: Day(today.day)) != "Today")
    #expect(Day(today.day)?.words(on: Day(next.day)) == "Yesterday")
    #expect(try DiaryFile(path: path, day: Day("2026-11-23")).today(at: time).ends == nil)
  }

  private func minutes(_ count: Int) -> Int { count * 60 }

  @Test func `pages follow each other without holes and repeats, whatever is written meanwhile`()
    throws
  {
    try opened { file in
      for day in 1...7 { _ = try file.add("Day \(day)", of: "Ada", at: 0) }
      _ = try file.add("Of another", of: "Ben", at: 0)
      let first = try file.entries(of: "Ada", before: nil, count: 3)
      #expect(first.entries.map(\.id) == [7, 6, 5])
      _ = try file.add("Day 8", of: "Ada", at: 0)
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
      let entry = try #require(try file.add("Rain — all day.", of: "Ada", at: 0))
      #expect(entry == Entry(id: 1, day: "2026-11-23", text: "Rain — all day."))
      #expect(try file.entry(1, of: "Ben") == nil)
      #expect(try file.change(1, to: "Sun.", of: "Ben") == nil)
      #expect(try file.change(1, to: "Sun.", of: "Ada")?.text == "Sun.")
      #expect(try file.erase(1, of: "Ben") == nil)
      #expect(try file.erase(1, of: "Ada")?.id == 1)
      #expect(try file.add("A new one", of: "Ada", at: 0)?.id == 2)
    }
  }

  @Test func `a file that cannot be used is a failure, and the next call tries again`() throws {
    let file = DiaryFile(path: "/nowhere/diary.sqlite", day: nil)
    for _ in 1...2 {
      #expect(throws: Failure.self) { try file.account() }
    }
  }
}
