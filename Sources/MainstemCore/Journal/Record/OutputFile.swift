// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A file of a journal, open for writing and locked. It is a value; its holder closes it.
package struct OutputFile {
  private let file: OpaquePointer

  /// Opens an existing file or creates one: PATH or, given a number, PATH.000001 and so on.
  @inline(never)
  package init(
    _ path: UnsafePointer<CChar>, _ number: UInt64 = 0, creates: Bool
  ) throws(OutputError) {
    var error: Int32 = 0
    guard let file = mainstem_p_output_open(path, number, creates ? 1 : 0, &error) else {
      throw OutputError(error)
    }
    self.file = file
    do throws(OutputError) {
      try OutputError.check(mainstem_p_output_lock(file))
    } catch {
      // Whoever holds the lock of the new file has found it and records into it.
      if creates, !error.isLocked { _ = mainstem_p_output_remove(path, number) }
      close()
      throw error
    }
  }

  package func close() { mainstem_p_output_close(file) }

  package func write(_ bytes: Bytes, at offset: UInt64) throws(OutputError) {
    try OutputError.check(mainstem_p_output_write(file, bytes.start, bytes.count, offset))
  }

  /// Checks that nobody else has removed the file or cut it below the length we gave it.
  package func check(size: UInt64) throws(OutputError) {
    try OutputError.check(mainstem_p_output_check(file, size))
  }

  /// Checks that the file still has what was written at an offset: at most 256 bytes.
  package func compare(_ bytes: Bytes, at offset: UInt64) throws(OutputError) {
    try OutputError.check(mainstem_p_output_compare(file, bytes.start, bytes.count, offset))
  }

  /// Makes sure that there is room on the disk from one offset to another.
  ///
  /// - Parameter isFilled: Whether to fill it with zeros. Then writing there later changes no metadata that a sync
  ///   would have to wait for.
  package func reserve(
    from offset: UInt64, to end: UInt64, isFilled: Bool
  ) throws(OutputError) {
    try OutputError.check(mainstem_p_output_reserve(file, offset, end &- offset))
    if isFilled { try OutputError.check(mainstem_p_output_fill(file, offset, end &- offset)) }
  }

  package func cut(to length: UInt64) throws(OutputError) {
    try OutputError.check(mainstem_p_output_cut(file, length))
  }

  /// Renames the file that was created as PATH.new to its number.
  package static func publish(
    _ path: UnsafePointer<CChar>, _ number: UInt64
  ) throws(OutputError) {
    try OutputError.check(mainstem_p_output_publish(path, number))
  }

  /// Syncs the folder, so that the file's name is on the disk.
  package static func syncFolder(of path: UnsafePointer<CChar>) throws(OutputError) {
    try OutputError.check(mainstem_p_output_sync_directory(path))
  }

  package func sync() throws(OutputError) { try OutputError.check(mainstem_p_output_sync(file)) }
}

/// Why an operation on a file failed.
package struct OutputError: Error {
  private let code: Int

  package init(_ code: Int32) { self.code = Int(code) }

  fileprivate static func check(_ code: Int32) throws(OutputError) {
    guard Int(code) == MAINSTEM_P_OUTPUT_OK else { throw OutputError(code) }
  }

  /// A sync failed.
  package static var poisoned: OutputError { OutputError(Int32(MAINSTEM_P_OUTPUT_POISONED)) }

  /// Another program has changed or removed the file.
  package var isChanged: Bool { code == MAINSTEM_P_OUTPUT_CHANGED }
  package var isPoisoned: Bool { code == MAINSTEM_P_OUTPUT_POISONED }
  package var isLocked: Bool { code == MAINSTEM_P_OUTPUT_LOCKED }
  package var isMissing: Bool { code == MAINSTEM_P_OUTPUT_MISSING }
  package var exists: Bool { code == MAINSTEM_P_OUTPUT_EXISTS }

  package var status: Status {
    switch code {
    case MAINSTEM_P_OUTPUT_FULL: .noSpace
    case MAINSTEM_P_OUTPUT_LOCKED: .locked
    case MAINSTEM_P_OUTPUT_NO_MEMORY: .noMemory
    case MAINSTEM_P_OUTPUT_POISONED: .poisoned
    case MAINSTEM_P_OUTPUT_CHANGED: .corrupt
    default: .io
    }
  }

  /// The refusal that names the path.
  package func refusal(_ path: Bytes) -> Refusal {
    Refusal(status, "path", reason, .name(path))
  }

  private var reason: Phrase {
    switch code {
    case MAINSTEM_P_OUTPUT_FULL: "cannot be written: no space left"
    case MAINSTEM_P_OUTPUT_LOCKED: "is in use by another process or context"
    case MAINSTEM_P_OUTPUT_MISSING: "is in a directory that does not exist: create it first"
    case MAINSTEM_P_OUTPUT_EXISTS: "already exists"
    case MAINSTEM_P_OUTPUT_NOT_PLAIN: "is a directory, a pipe or a device"
    case MAINSTEM_P_OUTPUT_LINK: "is a symbolic link, or has too many in its path"
    case MAINSTEM_P_OUTPUT_FORBIDDEN: "may not be written by this process"
    case MAINSTEM_P_OUTPUT_READ_ONLY: "is on a read-only file system"
    case MAINSTEM_P_OUTPUT_TOO_LONG: "is too long"
    case MAINSTEM_P_OUTPUT_TOO_MANY: "cannot be opened: too many files are open"
    case MAINSTEM_P_OUTPUT_NO_MEMORY: "cannot be opened: out of memory"
    case MAINSTEM_P_OUTPUT_CHANGED: "was changed or removed by another program"
    case MAINSTEM_P_OUTPUT_UNSUPPORTED: "is on a file system that lacks what is needed"
    default: "cannot be written: I/O error"
    }
  }
}
