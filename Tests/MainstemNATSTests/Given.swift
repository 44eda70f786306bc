// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mainstem
import MainstemNATS

/// What Tests/NATSTests/test_swift.py gives: servers, and a folder.
enum Given {
  /// A server; without one there is nothing to test.
  static let server = value("MAINSTEM_NATS_SERVER").map { NATSConnection($0) }
  /// A server that lets in ada, whose password is "lovelace".
  static let guarded = NATSConnection(value("MAINSTEM_NATS_GUARDED") ?? "")
  /// Where nobody listens.
  static let nobody = NATSConnection("nats://127.0.0.1:1")

  /// A new file's path. Streams, whose names are those of files, are new with it.
  static func file(_ name: String) -> String { "\(value("MAINSTEM_NATS_FOLDER") ?? "")/\(name)" }

  private static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// What is in a file.
func bytes(of file: String) -> [UInt8] {
  guard let stream = fopen(file, "r") else { return [] }
  defer { fclose(stream) }
  var bytes: [UInt8] = []
  while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
  return bytes
}

/// The error of a call.
func refused(_ call: () throws -> Void) -> StreamError? {
  do { try call() } catch { return error as? StreamError }
  return nil
}

struct Tick: Notice, Equatable { var number: Int }
struct Clicked: Notice {
  static let layer = Layer.view
  var button: String
}

/// Records a session of so many ticks, each hundredth with a click.
func record(_ count: Int, to path: String) throws {
  let context = try Context()
  try context.record(to: path, options: JournalOptions(durability: .buffered))
  let mouse = try context.scope("Mouse")
  for number in 1...count {
    try context.send(Tick(number: number))
    if number % 100 == 0 { try mouse.send(Clicked(button: "\(number)")) }
  }
  try context.close()
}
