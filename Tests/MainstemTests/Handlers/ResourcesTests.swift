// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct ResponsePicture: Response {}
private struct RequestPicture: Request {
  typealias Answer = ResponsePicture
  var name: String
}
private struct RequestFetchPicture: Request {
  typealias Answer = ResponsePicture
  var name: String
}
private struct PictureChanged: Notice { var name: String }

extension Status {
  fileprivate static let broken = Status(rawValue: 1500)
}

/// Keeps what it is asked.
private final class Asked { var replies: [Reply<RequestFetchPicture>] = [] }

private struct Site: Server {
  let asked: Asked

  static func handlers(_ on: inout Handlers<Self>) {
    on.event(RequestFetchPicture.self) { site, _, delivery in
      site.asked.replies.append(try delivery.reply(to: RequestFetchPicture.self))
      return []
    }
  }
}

private struct Program {
  let context: Context
  let asked = Asked()
  let pictures: Resources<RequestPicture, RequestFetchPicture>

  init(limitBytes: Int = 64 << 20) throws {
    context = try Context()
    try context.install(Site(asked: asked))
    pictures = try context.addResources(
      "Pictures", RequestPicture.self, behind: RequestFetchPicture.self, drop: PictureChanged.self,
      limitBytes: limitBytes)
  }

  func bytes(_ name: String) throws -> [UInt8]? {
    try pictures.bytes(of: RequestPicture(name: name))?.withBytes { [UInt8]($0) }
  }
}

@Suite struct ResourcesTests {
  @Test func tenRequestsMakeOneLoad() throws {
    let program = try Program()
    var got: [[UInt8]?] = []
    for _ in 0..<10 {
      try program.context.request(RequestPicture(name: "cat")) { answer, _ in
        if case .success = answer { got.append(try? program.bytes("cat")) }
      }
    }
    #expect(program.asked.replies.count == 1)
    try program.pictures.put([1, 2, 3], for: program.asked.replies[0])
    #expect(got == Array(repeating: [1, 2, 3], count: 10))
    #expect(throws: StreamError.self) {
      try program.pictures.put([], for: program.asked.replies[0])
    }
  }

  @Test func anErrorGoesToAllThatWait() throws {
    let program = try Program()
    var codes: [Status] = []
    for _ in 0..<2 {
      try program.context.request(RequestPicture(name: "cat")) { answer, _ in
        if case .failure(let failure) = answer { codes.append(failure.code) }
      }
    }
    try program.asked.replies[0].fail(Failure("no such cat", code: .broken))
    #expect(codes == [.broken, .broken])
    #expect(try program.bytes("cat") == nil)
  }

  @Test func bytesStayAlthoughTheyAreDropped() throws {
    let program = try Program(limitBytes: 1)
    try program.context.request(RequestPicture(name: "cat")) { _, _ in }
    try program.pictures.put([7], for: program.asked.replies[0])
    let held = try program.pictures.bytes(of: RequestPicture(name: "cat"))
    try program.context.drain()
    #expect(try program.bytes("cat") == nil)
    #expect(held?.count == 1)
    #expect(held?.withBytes { $0.first } == 7)
  }

  @Test func mistakesAreRefused() throws {
    let program = try Program()
    #expect(throws: StreamError.self) {
      try program.context.addResources(
        "B", RequestPicture.self, behind: RequestPicture.self, drop: PictureChanged.self)
    }
    #expect(throws: StreamError.self) {
      try program.context.addResources(
        "B", RequestPicture.self, behind: RequestFetchPicture.self, drop: PictureChanged.self,
        limit: -1)
    }
  }
}
