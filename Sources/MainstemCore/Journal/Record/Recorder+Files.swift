// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Opening and closing a journal.
extension Recorder {
  /// Opens or creates the journal. If the call fails, it leaves no new file behind.
  static func begin(
    _ recorder: Pointer, _ stream: Stream, _ path: Bytes, _ options: Options
  ) throws(Refusal) {
    guard let name = Name(copying: path) else { throw .noMemory }
    guard let records = RecordBuilder() else {
      name.free()
      throw .noMemory
    }
    recorder.pointee.path = name
    recorder.pointee.options = options
    recorder.pointee.unsynced = EarlierFiles()
    recorder.pointee.writer.initialize(to: JournalWriter(records))
    recorder.pointee.clear()
    do throws(Refusal) {
      let number = try existing(recorder, name)
      if let number {
        try open(recorder, stream, name, number)
      } else {
        try make(recorder, stream, name, options.segmentSize == 0 ? 0 : 1)
      }
    } catch {
      free(recorder)
      throw error
    }
    recorder.pointee.writer.pointee.turn = options.segmentSize
    recorder.pointee.writer.pointee.lists.areKept = options.keep > 0
  }

  /// The number of the file to continue, 0 for the one without a number; nil if there is no journal yet.
  private static func existing(_ recorder: Pointer, _ path: Name) throws(Refusal) -> UInt64? {
    var (lowest, highest): (UInt64, UInt64) = (0, 0)
    let failure = mainstem_p_input_numbers(path.text, &lowest, &highest)
    guard failure == 0 || failure == ENOENT || failure == EACCES else {
      throw .file(path.bytes, "cannot be looked for", failure)
    }
    let isNumbered = recorder.pointee.options.segmentSize != 0
    let isThere = mainstem_p_output_exists(path.text) != 0
    if isNumbered ? isThere : highest > 0 {
      throw Refusal(
        .invalid, "options.segment_size",
        isNumbered ? "already exists, without segments" : "already exists, with segments",
        .name(path.bytes))
    }
    guard isNumbered ? highest > 0 : isThere else { return nil }
    guard !recorder.pointee.options.isNew else {
      throw Refusal(
        .invalid, "path", "already exists: remove it, or record without MAINSTEM_JOURNAL_NEW",
        .name(path.bytes))
    }
    // Their writer may never have synced them.
    if highest > lowest {
      recorder.pointee.unsynced.first = lowest
      recorder.pointee.unsynced.end = highest
    }
    return highest
  }

  /// Creates a journal.
  private static func make(
    _ recorder: Pointer, _ stream: Stream, _ path: Name, _ number: UInt64
  ) throws(Refusal) {
    do throws(OutputError) {
      recorder.pointee.file = try OutputFile(path.text, number, creates: true)
      recorder.pointee.writer.pointee.file = recorder.pointee.file
    } catch {
      throw error.refusal(path.bytes)
    }
    do throws(OutputError) {
      try beginFirst(recorder, stream, path)
    } catch {
      _ = mainstem_p_output_remove(path.text, number)
      throw error.refusal(path.bytes)
    }
  }

  /// Writes the beginning of the first file. Room is reserved only afterwards, so a crash before the write leaves
  /// nothing but an empty file.
  private static func beginFirst(
    _ recorder: Pointer, _ stream: Stream, _ path: Name
  ) throws(OutputError) {
    let writer = recorder.pointee.writer
    recorder.pointee.id = (mainstem_p_random(), mainstem_p_random())
    writer.pointee.records.begin(
      FileHeader(
        id: recorder.pointee.id, number: 1, first: 1, link: 0, made: mainstem_p_now()))
    addSession(recorder, stream, flags: 0)
    try recorder.pointee.file?.write(writer.pointee.records.bytes, at: 0)
    let size = UInt64(writer.pointee.records.count)
    recorder.pointee.end.store(size, ordering: .relaxed)
    recorder.pointee.reserved.store(size, ordering: .relaxed)
    recorder.pointee.bytes.store(size, ordering: .relaxed)
    recorder.pointee.segments.store(1, ordering: .relaxed)
    writer.pointee.records.clear()
    try prepareFiles(recorder, path)
  }

  /// Reserves room for what follows and syncs the folder; at level power, syncs the journal's files, too.
  private static func prepareFiles(_ recorder: Pointer, _ path: Name) throws(OutputError) {
    try reserve(recorder, to: recorder.pointee.end.load(ordering: .relaxed) &+ spare)
    if recorder.pointee.options.durability == .power {
      try syncEarlier(recorder.pointee.unsynced, path)
      recorder.pointee.unsynced = EarlierFiles()
      try recorder.pointee.file?.sync()
    }
    try OutputFile.syncFolder(of: path.text)
  }

  /// Continues a journal behind its last intact record.
  private static func open(
    _ recorder: Pointer, _ stream: Stream, _ path: Name, _ number: UInt64
  ) throws(Refusal) {
    do throws(OutputError) {
      let file = try OutputFile(path.text, number, creates: false)
      recorder.pointee.file = file
      recorder.pointee.writer.pointee.file = file
    } catch {
      throw error.isLocked ? locked(path) : error.refusal(path.bytes)
    }
    var reader = try JournalReader.open(path.text)
    guard !reader.isBlank else { return try beginAgain(recorder, stream, path) }
    guard reader.version == RecordFormat.version else { throw older(path, reader.version) }
    while try reader.next() != nil {}
    // Another process may have begun the next file before we locked this one.
    guard number == 0 || reader.place.number == number else { throw locked(path) }
    do throws(OutputError) {
      try resume(recorder, stream, behind: reader)
      try prepareFiles(recorder, path)
    } catch {
      throw error.refusal(path.bytes)
    }
  }

  /// Begins a journal again if its writer died while creating it.
  private static func beginAgain(
    _ recorder: Pointer, _ stream: Stream, _ path: Name
  ) throws(Refusal) {
    do throws(OutputError) {
      try recorder.pointee.file?.cut(to: 0)
      try beginFirst(recorder, stream, path)
    } catch {
      throw error.refusal(path.bytes)
    }
  }

  private static func resume(
    _ recorder: Pointer, _ stream: Stream, behind reader: borrowing JournalReader
  ) throws(OutputError) {
    let writer = recorder.pointee.writer
    let (end, number) = (UInt64(reader.place.end), reader.place.number)
    try recorder.pointee.file?.cut(to: end)
    recorder.pointee.id = reader.id
    writer.pointee.number = number
    writer.pointee.last = reader.progress.last
    if end == 0 {
      // A crash took even the header of the last file.
      writer.pointee.records.begin(
        FileHeader(
          id: reader.id, number: number, first: reader.progress.last &+ 1, link: reader.place.link,
          made: mainstem_p_now()))
    } else {
      writer.pointee.records.resume(id: reader.id, number: number, link: reader.place.link)
    }
    recorder.pointee.end.store(end, ordering: .relaxed)
    recorder.pointee.reserved.store(end, ordering: .relaxed)
    recorder.pointee.written.store(reader.progress.last, ordering: .relaxed)
    recorder.pointee.torn.store(reader.progress.torn, ordering: .relaxed)
    addSession(recorder, stream, flags: 0)
    do throws(OutputError) {
      try write(recorder)
    } catch {
      try? recorder.pointee.file?.cut(to: end)
      throw error
    }
  }

  private static func older(_ path: Name, _ version: UInt32) -> Refusal {
    var subject = SubjectWriter()
    subject.add(path.bytes)
    subject.add(" (version ")
    subject.add(UInt64(version))
    subject.add(")")
    return Refusal(
      .version, "path",
      """
      has an older version of the format: record into a copy in the current one, made by \
      mainstem_journal_salvage
      """,
      .name(subject.bytes))
  }

  /// The refusal of a journal that is in use, with the process that writes it if the journal names one.
  private static func locked(_ path: Name) -> Refusal {
    // First, because reading may itself be refused, and a thread has one subject.
    let process = writingProcess(path)
    var subject = SubjectWriter()
    subject.add(path.bytes)
    subject.add(" is written by ")
    if let process {
      subject.add("process ")
      subject.add(UInt64(process))
    } else {
      subject.add("another process")
    }
    return Refusal(.locked, "path", "already: record to another path", .name(subject.bytes))
  }

  private static func writingProcess(_ path: Name) -> UInt32? {
    guard var reader = try? JournalReader.open(path.text) else { return nil }
    while let found = try? reader.next(), found.length > 0 {}
    return reader.session.process == 0 ? nil : reader.session.process
  }
}

/// The first record and the last.
extension Recorder {
  static func addSession(_ recorder: Pointer, _ stream: Stream, flags: UInt32) {
    let writer = recorder.pointee.writer
    let (digest, last) = (writer.pointee.digest.bits, writer.pointee.last)
    let (seed, level) = (
      stream.state.pointee.loop.seed, recorder.pointee.options.durability.rawValue
    )
    writer.pointee.known.clear()
    writer.pointee.records.add(RecordFormat.Kind.session, at: last, time: stream.time) { payload in
      payload.add(UInt64(bitPattern: mainstem_p_now()))
      payload.add(seed)
      payload.add(digest)
      payload.add(mainstem_p_process())
      payload.add(level)
      payload.add(flags | ways(of: stream))
      payload.add(UInt32(0))
      payload.add(Bytes(zeroEnded: mainstem_p_version_text()))
    }
  }

  /// In which of its ways a session differs from older ones. Who has replayed one, an empty one, goes on as it did.
  private static func ways(of stream: Stream) -> UInt32 {
    (stream.followsOldSession ? 0 : RecordFormat.Session.countsDrawers)
      | (stream.state.pointee.scopes.hasWideNumbers ? 0 : RecordFormat.Session.narrowNumbers)
  }

  /// Writes the last record when the context closes, and returns why that failed, if it did. Called by the deliverer.
  static func end(_ recorder: Pointer, _ stream: Stream) -> Status? {
    let writer = recorder.pointee.writer
    var failure: Status?
    if recorder.pointee.failure.load(ordering: .relaxed) == 0 {
      let (digest, last) = (writer.pointee.digest.bits, writer.pointee.last)
      writer.pointee.endRefusal(stream.time)
      writer.pointee.records.add(RecordFormat.Kind.end, at: last, time: stream.time) { payload in
        payload.add(digest)
      }
      do throws(OutputError) {
        try checkAll(recorder)
        try write(recorder)
        let end = recorder.pointee.end.load(ordering: .relaxed)
        try writer.pointee.file?.cut(to: end)
        // A sync checks that the file has the length we gave it.
        recorder.pointee.reserved.store(end, ordering: .relaxed)
        if recorder.pointee.options.durability == .power {
          failure = sync(recorder, stream, to: last)
        }
      } catch {
        stop(recorder, stream, error.status)
        failure = error.status
      }
    }
    free(recorder)
    return failure
  }

  /// Frees everything but the memory that other threads may still read.
  private static func free(_ recorder: Pointer) {
    recorder.pointee.lock.acquire()
    while recorder.pointee.isSyncing { recorder.pointee.lock.wait() }
    recorder.pointee.file?.close()
    recorder.pointee.file = nil
    recorder.pointee.path?.free()
    recorder.pointee.path = nil
    let hook = recorder.pointee.onDurable
    recorder.pointee.onDurable = DurableHook()
    recorder.pointee.lock.wakeAll()
    recorder.pointee.lock.release()
    recorder.pointee.writer.pointee.records.free()
    recorder.pointee.writer.pointee.known.free()
    recorder.pointee.writer.pointee.lists.free()
    hook.release?(hook.userData)
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
      let (file, begun, listed) = try makeNext(recorder, stream, path)
      close(old, at: end, recorder, next: file, from: begun)
      recorder.pointee.segments.wrappingAdd(1, ordering: .relaxed)
      writer.pointee.file = file
      writer.pointee.number &+= 1
      // The lists at its beginning do not count.
      writer.pointee.turn = recorder.pointee.options.segmentSize &+ listed
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
    _ old: OutputFile, at end: UInt64, _ recorder: Pointer, next file: OutputFile,
    from begun: UInt64
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
      recorder.pointee.end.store(begun, ordering: .relaxed)
      recorder.pointee.reserved.store(begun, ordering: .relaxed)
      recorder.pointee.bytes.wrappingAdd(begun, ordering: .relaxed)
    }
  }

  /// Creates the whole next file under a temporary name and only then gives it its number, so that nobody ever finds a
  /// file that is incomplete or not locked.
  private static func makeNext(
    _ recorder: Pointer, _ stream: Stream, _ path: Name
  ) throws(OutputError) -> (file: OutputFile, begun: UInt64, listed: UInt64) {
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
      var end: UInt64 = 0
      let start = UInt64(writer.pointee.records.count)
      try addLists(recorder, stream, file, &end)
      try flush(recorder, file, &end)
      if recorder.pointee.options.durability == .power { try file.sync() }
      try OutputFile.publish(path.text, number)
      try syncFolderOfNext(path, number)
      return (file, end, end &- start)
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
