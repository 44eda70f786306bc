// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// The usual mistakes that a compiler cannot see. What it can see is in Tests/SwiftMisuse.
@Suite("Mistakes") struct MistakeTests {
  @Test(arguments: Mistake.all)
  func `a mistake gets a message that names it and says what to do`(mistake: Mistake) throws {
    let folder = Folder()
    let context = try Context()

    let error = #expect(throws: (any Error).self) { try mistake.make(context, folder) }

    var message = error.map { "\($0)" } ?? ""
    // A folder has another name each time.
    if let path = message.firstRange(of: folder.file("")) { message.removeSubrange(path) }
    #expect(message == mistake.message)
  }

  @Test func `there are more than twenty`() { #expect(Mistake.all.count > 20) }
}

/// A mistake, and what who makes it reads.
struct Mistake: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let message: String
  let make: @Sendable (Context, Folder) throws -> Void

  init(
    _ name: String, _ message: String, _ make: @Sendable @escaping (Context, Folder) throws -> Void
  ) {
    (testDescription, self.message, self.make) = (name, message, make)
  }

  static let all = ofEvents + ofRequests + ofCallbacks + ofQueues + ofJournals
}

/// What a callback's call throws.
final class Caught {
  var error: (any Error)?

  func call(_ body: () throws -> Void) {
    do { try body() } catch { self.error = error }
  }

  func rethrow() throws {
    if let error { throw error }
  }
}

/// What the mistakes are made with.
extension Mistake {
  struct Said: Notice { var words: String }
  struct Measured: Notice { var value: Double }
  struct Password: Notice {
    static let isSecret = true
    var text: String
  }
  enum Mood: Int32, Codable { case glad, sad }
  struct Moody: Notice, BitwiseEvent { var mood: Mood }
  struct ResponseGreeting: Response { var text: String }
  struct RequestGreet: Request {
    typealias Answer = ResponseGreeting
    var name: String
  }
}
