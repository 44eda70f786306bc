// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A folder for the files of one test; it is gone when the test has ended.
final class Folder {
  private let path: String
  private var files: Set<String> = []

  init() {
    var template = Array("/tmp/mainstem.XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, mkdtemp(start) != nil else { return "" }
      return String(cString: start)
    }
    precondition(!path.isEmpty, "/tmp takes no folder")
  }

  deinit {
    for file in files { unlink(file) }
    rmdir(path)
  }

  /// The path of a file in it.
  func file(_ name: String) -> String {
    files.insert("\(path)/\(name)")
    return "\(path)/\(name)"
  }

  /// What is in a file.
  static func bytes(of file: String) -> [UInt8] {
    guard let stream = fopen(file, "r") else { return [] }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    while case let byte = getc(stream), byte != EOF {
      bytes.append(UInt8(truncatingIfNeeded: byte))
    }
    return bytes
  }

  /// Writes a file anew.
  static func write(_ bytes: some Collection<UInt8>, to file: String) {
    guard let stream = fopen(file, "w") else { return }
    defer { fclose(stream) }
    let bytes = Array(bytes)
    fwrite(bytes, 1, bytes.count, stream)
  }
}
