// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The first records of a file, and the last ones.
extension Recorder {
  /// Opens the file and writes its first record. A failed call leaves no file behind that was not there.
  static func begin(
    _ recorder: Pointer, _ stream: Stream, _ path: Bytes, _ wish: Wish
  ) throws(Refusal) {
    guard let name = Name(copying: path) else { throw .noMemory }
    guard let records = RecordBuilder() else {
      name.free()
      throw .noMemory
    }
    recorder.pointee.path = name
    recorder.pointee.wish = wish
    recorder.pointee.writer.initialize(to: JournalWriter(records))
    recorder.pointee.clear()
    do throws(OutputError) {
      recorder.pointee.file = try OutputFile(name.text, creates: true)
    } catch {
      free(recorder)
      throw error.exists
        ? Refusal(.invalid, "path", "is there already", .name(path)) : error.refusal(path)
    }
    do throws(OutputError) {
      recorder.pointee.id = (mainstem_p_random(), mainstem_p_random())
      try beginFile(recorder, stream, number: 1, link: 0)
      if mainstem_p_output_sync_directory(name.text) != 0 { throw OutputError(-1) }
    } catch {
      _ = mainstem_p_output_remove(name.text)
      free(recorder)
      throw error.refusal(path)
    }
  }

  /// Writes a file's header, and the record that a session begins.
  private static func beginFile(
    _ recorder: Pointer, _ stream: Stream, number: UInt64, link: UInt32
  ) throws(OutputError) {
    let writer = recorder.pointee.writer
    writer.pointee.records.begin(
      FileHeader(
        id: recorder.pointee.id, number: number, first: writer.pointee.last &+ 1, link: link,
        made: mainstem_p_now()))
    writer.pointee.known.clear()
    addSession(recorder, stream, flags: 0)
    try reserve(recorder, to: UInt64(RecordFormat.fileHeaderSize) &+ spare)
    try write(recorder)
    recorder.pointee.segments.wrappingAdd(1, ordering: .relaxed)
  }

  private static func addSession(_ recorder: Pointer, _ stream: Stream, flags: UInt32) {
    let writer = recorder.pointee.writer
    let (digest, last) = (writer.pointee.digest.bits, writer.pointee.last)
    let (seed, level) = (stream.state.pointee.seed, recorder.pointee.wish.level)
    writer.pointee.records.add(RecordFormat.Kind.session, at: last, time: stream.time) { payload in
      payload.add(UInt64(bitPattern: mainstem_p_now()))
      payload.add(seed)
      payload.add(digest)
      payload.add(mainstem_p_process())
      payload.add(level)
      payload.add(flags)
      payload.add(UInt32(0))
      payload.add(Bytes(zeroEnded: mainstem_p_version_text()))
    }
  }

  /// The context closes: the last record, and nothing behind it. For the holder.
  static func end(_ recorder: Pointer, _ stream: Stream) -> Status? {
    let writer = recorder.pointee.writer
    var failure: Status?
    if recorder.pointee.failure.load(ordering: .relaxed) == 0 {
      let (digest, last) = (writer.pointee.digest.bits, writer.pointee.last)
      writer.pointee.records.add(RecordFormat.Kind.end, at: last, time: stream.time) { payload in
        payload.add(digest)
      }
      do throws(OutputError) {
        try write(recorder)
        try recorder.pointee.file?.cut(to: recorder.pointee.end.load(ordering: .relaxed))
      } catch {
        stop(recorder, error.status)
        failure = error.status
      }
    }
    free(recorder)
    return failure
  }

  /// Gives all back but the memory that other threads may look at.
  private static func free(_ recorder: Pointer) {
    locked(recorder) {
      recorder.pointee.file?.close()
      recorder.pointee.file = nil
      recorder.pointee.path?.free()
      recorder.pointee.path = nil
    }
    recorder.pointee.writer.pointee.records.free()
    recorder.pointee.writer.pointee.known.free()
  }

  private func clear() {
    end.store(0, ordering: .relaxed)
    reserved.store(0, ordering: .relaxed)
    written.store(0, ordering: .relaxed)
    durable.store(0, ordering: .relaxed)
    events.store(0, ordering: .relaxed)
    bytes.store(0, ordering: .relaxed)
    segments.store(0, ordering: .relaxed)
    torn.store(0, ordering: .relaxed)
    failure.store(0, ordering: .relaxed)
  }
}
