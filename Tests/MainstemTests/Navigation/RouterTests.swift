// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// The table of XU-12: the names are those of the tests that the requirement lists.
@Suite("Router") struct RouterTests {
  private let uuid = "621425B8-42D1-4AB4-9A58-1E69D708A84B"

  /// The pattern that a URL takes, and the texts of its parameters.
  private func taken(
    _ url: String, _ patterns: String..., type: String? = nil
  ) throws -> [String]? {
    let router = try Router()
    if let type { try router.addType(type) { $0.hasPrefix("dev") } }
    var added: [Route: String] = [:]
    for pattern in patterns { added[try router.add(pattern)] = pattern }
    guard let match = try router.match(url) else { return nil }
    return [added[match.route] ?? "?"] + match.parameters.map { "\($0.name)=\($0.text)" }
  }

  private func status(_ call: () throws -> Void) -> Status {
    do { try call() } catch { return (error as? StreamError)?.status ?? .incomplete }
    return .ok
  }

  @Test func `there is no match without candidates`() throws {
    #expect(try taken("myapp://user/1") == nil)
  }

  @Test func `another scheme, path, length or type is no match`() throws {
    #expect(try taken("myapp://user/1", "yourapp://user/<id>") == nil)
    #expect(try taken("myapp://user/1", "user/<id>") == nil)
    #expect(try taken("myapp://user/1", "myapp://comment/<id>") == nil)
    #expect(try taken("myapp://user/1", "myapp://user/<id>/hello") == nil)
    #expect(try taken("myapp://user/devxoul", "myapp://user/<int:id>") == nil)
  }

  @Test func `a URL that is the pattern matches exactly`() throws {
    #expect(try taken("myapp://hello", "myapp://hello") == ["myapp://hello"])
  }

  @Test func `values come out untyped, as string, int, float, uuid and of the app's types`() throws
  {
    let long = "myapp://user/<id>/hello"
    #expect(try taken("myapp://user/1", long, "myapp://user/<id>")?.last == "id=1")
    #expect(try taken("myapp://user/1", "myapp://user/<string:id>")?.last == "id=1")
    #expect(try taken("myapp://user/1", "myapp://user/<int:id>")?.last == "id=1")
    #expect(try taken("myapp://user/1.5", "myapp://user/<float:id>")?.last == "id=1.5")
    #expect(try taken("myapp://user/\(uuid)", "myapp://user/<uuid:id>")?.last == "id=\(uuid)")
    let greeting = "myapp://hello/<greeting:name>"
    #expect(try taken("myapp://hello/devxoul", greeting, type: "greeting")?.last == "name=devxoul")
    #expect(try taken("myapp://hello/xoul", greeting, type: "greeting") == nil)
  }

  @Test func `several values match, and the query is ignored`() throws {
    let pattern = "myapp://user/<id>/<object>"
    #expect(
      try taken("myapp://user/1/posts", "myapp://user/<id>", pattern)
        == [pattern, "id=1", "object=posts"])
    #expect(try taken("myapp://alert?title=hello", "myapp://alert") == ["myapp://alert"])
  }

  @Test func `a path is the rest, also with a slash at its end, and never empty`() throws {
    #expect(
      try taken("https://google.com/search?q=1", "https://<path:u>")?.last == "u=google.com/search")
    #expect(
      try taken("https://google.com/search/?q=1", "https://<path:u>")?.last == "u=google.com/search"
    )
    #expect(try taken("https://", "https://<path:u>") == nil)
    #expect(try taken("myapp://alert/https://a.b/c", "myapp://alert/<u>") == nil)
  }

  @Test func `unicode is compared decoded, and nothing matches what is empty`() throws {
    #expect(try taken("caf%C3%A9/%E6%97%A5/", "café/<day>") == ["café/<day>", "day=日"])
    #expect(try taken("", "<path:_>", "<id>") == nil)
  }

  @Test func `values have their types`() throws {
    let router = try Router()
    try router.add("a/<int:i>/<float:f>/<s>")
    let match = try #require(try router.match("a/-7/1e2/x%20y?k=1&k=%32&e#top"))
    #expect(try match.int("i") == -7)
    #expect(try match.float("i") == -7)
    #expect(try match.float("f") == 100)
    #expect(try match.text("s") == "x y")
    #expect(match.query("k") == "2")
    #expect(match.query("none") == nil)
    #expect(match.query.map { "\($0.name)=\($0.text)" } == ["k=1", "k=2", "e="])
    #expect(match.fragment == "top")
    #expect(status { _ = try match.int("f") } == .invalid)
    #expect(status { _ = try match.float("s") } == .invalid)
    #expect(status { _ = try match.text("none") } == .invalid)
  }

  @Test func `what no route may get is a bad URL`() throws {
    let router = try Router()
    try router.add("<path:_>")
    for url in ["a%", "a%2", "a%zz", "a%2Fb", ".", "a/../b", "%2e%2E", "a%00", "a\0", "%ff", "a?%"]
    {
      #expect(status { _ = try router.match(url) } == .badURL, "\(url)")
    }
  }

  @Test func `a removed route matches no more, and a match outlives it`() throws {
    let router = try Router()
    let route = try router.add("<id>")
    let match = try router.match("7")
    try router.remove(route)
    #expect(try router.match("7") == nil)
    #expect(match?.parameters.first?.text == "7")
    #expect(status { try router.remove(route) } == .stale)
    #expect(try router.add("<id>") != route)
  }

  @Test func `the same shape, and an unknown type, are refused`() throws {
    let router = try Router()
    try router.add("a/<id>")
    #expect(status { _ = try router.add("a/<string:name>") } == .invalid)
    #expect(status { _ = try router.add("a/<colour:name>") } == .invalid)
    #expect(status { try router.addType("int") { _ in true } } == .invalid)
  }

  @Test func `of several values of one key the last one counts`() throws {
    let router = try Router()
    try router.add("diary")
    let match = try #require(try router.match("diary?tab=1&page=7&tab=2&tab=3"))
    #expect(match.query("tab") == "3")
    #expect(match.query("page") == "7")
    #expect(match.query("none") == nil)
  }

  @Test func `a URL is written escaped, and matches again`() throws {
    let values: KeyValuePairs = [
      "id": "ü /?#%".replacing("/", with: "+"), "tab": "a&b", "tab": "2",
    ]
    let url = try Router.write("myapp://user/<id>", values)
    #expect(url == "myapp://user/%C3%BC%20%2B%3F%23%25?tab=a%26b&tab=2")
    let router = try Router()
    try router.add("myapp://user/<id>")
    let match = try #require(try router.match(url))
    #expect(try match.text("id") == "ü +?#%")
    #expect(match.query.map(\.text) == ["a&b", "2"])
    #expect(
      try Router.write("<path:p>", ["p": String(repeating: "ab/", count: 999) + "c"]).count == 2998)
    #expect(status { _ = try Router.write("<int:id>", ["id": "x"]) } == .invalid)
    #expect(status { _ = try Router.write("<id>") } == .invalid)
    #expect(status { _ = try Router.write("<id>", ["id": "a\0"]) } == .invalid)
  }
}
