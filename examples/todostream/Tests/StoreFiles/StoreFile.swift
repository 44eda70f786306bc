// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A database file for a test, in a folder of its own that is removed with it.
public final class StoreFile {
  private let folder: String
  /// Where the file is, or will be.
  public let path: String

  /// Creates the folder, but not the file.
  public init() throws {
    var template = Array("/tmp/todostream-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Problem.noFolder }
    folder = String(cString: made)
    path = folder + "/todo.sqlite"
  }

  deinit {
    chmod(path, 0o600)
    for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
    rmdir(folder)
  }

  /// Whether the file exists.
  public var exists: Bool { access(path, F_OK) == 0 }

  /// Runs statements through a connection of its own, as another program would.
  public func run(_ script: String) throws {
    let other = try Connection(path: path)
    try other.run(script)
  }

  /// Write-protects the file. That does not stop the superuser, so the file's header says it too: SQLite opens a file
  /// read-only if its write version is later than SQLite knows.
  public func makeReadOnly() throws { try setWriteVersion(3, mode: 0o400) }

  /// Removes the write protection.
  public func makeWritable() throws { try setWriteVersion(2, mode: 0o600) }

  /// One byte of the file, to which SQLite's file format gives a meaning.
  public func header(at offset: Int) throws -> UInt8 {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw Problem.noFile }
    defer { close(file) }
    var byte: UInt8 = 0
    guard pread(file, &byte, 1, off_t(offset)) == 1 else { throw Problem.noFile }
    return byte
  }

  /// Creates the file with some text in it.
  public func fill(_ text: String) throws {
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    guard file >= 0, write(file, text, text.utf8.count) == text.utf8.count else {
      throw Problem.noFile
    }
    close(file)
  }

  private func setWriteVersion(_ version: UInt8, mode: mode_t) throws {
    chmod(path, 0o600)
    let file = open(path, O_RDWR)
    guard file >= 0 else { throw Problem.noFile }
    defer { close(file) }
    var byte = version
    guard pwrite(file, &byte, 1, 18) == 1 else { throw Problem.noFile }
    chmod(path, mode)
  }

  /// The test could not prepare its file.
  public enum Problem: Error { case noFolder, noFile, refused(String) }
}
