// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// A journal in several files: the next one begins when a file reaches the length the host chose. For the deliverer.
extension Recorder {
  /// Whether it is time for the next file.
  static func isTurn(_ recorder: Pointer) -> Bool {
    let turn = recorder.pointee.writer.pointee.turn
    return turn != 0 && recorder.pointee.end.load(ordering: .relaxed) >= turn
  }

  /// Continues in a new file. If none can be created, the old file continues, because it has room for what was
  /// accepted, and the next file is tried again later.
  static func turnOver(_ recorder: Pointer, _ stream: Stream) throws(OutputError) {
    guard let path = recorder.pointee.path, let old = recorder.pointee.writer.pointee.file else {
      return
    }
    try checkAll(recorder)
    let writer = recorder.pointee.writer
    let (records, end) = (writer.pointee.records, recorder.pointee.end.load(ordering: .relaxed))
    if recorder.pointee.options.durability == .power,
      sync(recorder, stream, to: writer.pointee.last) != nil
    {
      throw .poisoned
    }
    do throws(OutputError) {
      let file = try makeNext(recorder, stream, path)
      close(old, at: end, recorder, next: file)
      recorder.pointee.segments.wrappingAdd(1, ordering: .relaxed)
      writer.pointee.file = file
      writer.pointee.number &+= 1
      writer.pointee.turn = recorder.pointee.options.segmentSize
      writer.pointee.records.clear()
      removeOld(recorder, path)
    } catch {
      writer.pointee.records = records
      if error.isPoisoned { throw error }
      writer.pointee.turn = end &+ max(spare, recorder.pointee.options.segmentSize / 8)
    }
  }

  /// Closes a file and goes on with the next one, between two syncs.
  private static func close(
    _ old: OutputFile, at end: UInt64, _ recorder: Pointer, next file: OutputFile
  ) {
    locked(recorder) {
      let writer = recorder.pointee.writer
      while recorder.pointee.isSyncing { recorder.pointee.lock.wait() }
      // The next sync opens the old file again by its number and must not find it locked.
      try? old.cut(to: end)
      old.close()
      recorder.pointee.file = file
      // At level power it has just been synced.
      if recorder.pointee.options.durability != .power {
        recorder.pointee.addUnsynced(writer.pointee.number)
      }
      let size = UInt64(writer.pointee.records.count)
      recorder.pointee.end.store(size, ordering: .relaxed)
      recorder.pointee.reserved.store(size, ordering: .relaxed)
      recorder.pointee.bytes.wrappingAdd(size, ordering: .relaxed)
    }
  }

  /// Creates the whole next file under a temporary name and only then gives it its number, so that nobody ever finds a
  /// file that is incomplete or not locked.
  private static func makeNext(
    _ recorder: Pointer, _ stream: Stream, _ path: Name
  ) throws(OutputError) -> OutputFile {
    let writer = recorder.pointee.writer
    let unfinished = UInt64.max
    _ = mainstem_p_output_remove(path.text, unfinished)
    let file = try OutputFile(path.text, unfinished, creates: true)
    do throws(OutputError) {
      let number = writer.pointee.number &+ 1
      writer.pointee.records.begin(
        FileHeader(
          id: recorder.pointee.id, number: number, first: writer.pointee.last &+ 1,
          link: writer.pointee.records.link, made: mainstem_p_now()))
      addSession(recorder, stream, flags: RecordFormat.Session.continues)
      try file.write(writer.pointee.records.bytes, at: 0)
      if recorder.pointee.options.durability == .power { try file.sync() }
      try OutputFile.publish(path.text, number)
      try syncFolderOfNext(path, number)
      return file
    } catch {
      _ = mainstem_p_output_remove(path.text, unfinished)
      file.close()
      throw error
    }
  }

  /// Syncs the folder of the next file. If that fails, the old file continues; the new one, which follows what the old
  /// one had so far, must not stay beside it.
  private static func syncFolderOfNext(_ path: Name, _ number: UInt64) throws(OutputError) {
    do throws(OutputError) {
      try OutputFile.syncFolder(of: path.text)
    } catch {
      guard mainstem_p_output_remove(path.text, number) == 0 else { throw .poisoned }
      throw error
    }
  }

  /// Removes all but the last files of a flight recorder.
  private static func removeOld(_ recorder: Pointer, _ path: Name) {
    let keep = UInt64(recorder.pointee.options.keep)
    var (lowest, highest): (UInt64, UInt64) = (0, 0)
    guard keep > 0, mainstem_p_input_numbers(path.text, &lowest, &highest) == 0 else { return }
    while lowest > 0, highest &- lowest >= keep {
      _ = mainstem_p_output_remove(path.text, lowest)
      lowest &+= 1
    }
  }
}
