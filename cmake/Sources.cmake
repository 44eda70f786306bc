# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
# The table of contents: every source in the order of flow, listed by hand. RepositoryTests compare
# it with the disk.

# Headers: the manual.
set(MAINSTEM_HEADERS
  include/mainstem.h
  include/mainstem/base.h
  include/mainstem/event.h
  include/mainstem/flow.h
  include/mainstem/loop.h
  include/mainstem/handlers.h
  include/mainstem/journal.h
  include/mainstem/replay.h
  include/mainstem/testing.h)

# The shim: libc, atomics and thread-local state for Swift.
set(MAINSTEM_PRIVATE_HEADERS
  Sources/CMainstem/include/mainstem_private.h
  Sources/CMainstem/include/module.modulemap)
set(MAINSTEM_SHIM_SOURCES
  Sources/CMainstem/shim.c
  Sources/CMainstem/checksum.c
  Sources/CMainstem/reading.c
  Sources/CMainstem/writing.c
  Sources/CMainstem/constants.c)

# The core.
set(MAINSTEM_CORE_SOURCES
  # Base: what all stand on
  Sources/MainstemCore/Base/Status.swift
  Sources/MainstemCore/Base/Bytes.swift
  Sources/MainstemCore/Base/Escape.swift
  Sources/MainstemCore/Base/Memory.swift
  Sources/MainstemCore/Base/Chain.swift
  Sources/MainstemCore/Base/Lock.swift
  Sources/MainstemCore/Base/Name.swift
  Sources/MainstemCore/Base/NameTable.swift
  Sources/MainstemCore/Base/Handle.swift
  Sources/MainstemCore/Base/Refusal.swift
  Sources/MainstemCore/Base/Lack.swift
  Sources/MainstemCore/Base/SubjectWriter.swift
  # Event: what happened
  Sources/MainstemCore/Event/Contract.swift
  Sources/MainstemCore/Event/Layers.swift
  Sources/MainstemCore/Event/EventTypes.swift
  Sources/MainstemCore/Event/ErrorValue.swift
  Sources/MainstemCore/Event/Draft.swift
  Sources/MainstemCore/Event/KeptEvent.swift
  Sources/MainstemCore/Event/EventLine.swift
  Sources/MainstemCore/Event/JSONWriter.swift
  # Flow: one stream, in order
  Sources/MainstemCore/Flow/Word.swift
  Sources/MainstemCore/Flow/Frame.swift
  Sources/MainstemCore/Flow/EventQueue.swift
  Sources/MainstemCore/Flow/HandOver.swift
  Sources/MainstemCore/Flow/EventStock.swift
  Sources/MainstemCore/Flow/Records.swift
  Sources/MainstemCore/Flow/Backlog.swift
  Sources/MainstemCore/Flow/Scheduler.swift
  Sources/MainstemCore/Flow/Scheduler+Promises.swift
  Sources/MainstemCore/Flow/Schedulers.swift
  Sources/MainstemCore/Flow/Lane.swift
  Sources/MainstemCore/Flow/LaneTable.swift
  Sources/MainstemCore/Flow/Reach.swift
  Sources/MainstemCore/Flow/Timing.swift
  Sources/MainstemCore/Flow/Subscription.swift
  Sources/MainstemCore/Flow/SubscriptionStock.swift
  Sources/MainstemCore/Flow/Limits.swift
  Sources/MainstemCore/Flow/CallbackCount.swift
  Sources/MainstemCore/Flow/Feed.swift
  Sources/MainstemCore/Flow/Trail.swift
  Sources/MainstemCore/Flow/Rights.swift
  Sources/MainstemCore/Flow/Budget.swift
  Sources/MainstemCore/Flow/Deadline.swift
  Sources/MainstemCore/Flow/Timer.swift
  Sources/MainstemCore/Flow/Scope.swift
  Sources/MainstemCore/Flow/ScopeNumbers.swift
  Sources/MainstemCore/Flow/Origins.swift
  Sources/MainstemCore/Flow/HistoryRing.swift
  Sources/MainstemCore/Flow/History.swift
  Sources/MainstemCore/Flow/History+Bounds.swift
  Sources/MainstemCore/Flow/Inbox.swift
  Sources/MainstemCore/Flow/InterruptRing.swift
  Sources/MainstemCore/Flow/Wake.swift
  Sources/MainstemCore/Flow/Stream.swift
  Sources/MainstemCore/Flow/Tap.swift
  Sources/MainstemCore/Flow/Stream+Tap.swift
  Sources/MainstemCore/Flow/Entrance.swift
  Sources/MainstemCore/Flow/Stream+Claim.swift
  Sources/MainstemCore/Flow/Stream+Feed.swift
  Sources/MainstemCore/Flow/Stream+Send.swift
  Sources/MainstemCore/Flow/Stream+Deliver.swift
  Sources/MainstemCore/Flow/PackedEvents.swift
  Sources/MainstemCore/Flow/Gathering.swift
  Sources/MainstemCore/Flow/Stream+Room.swift
  Sources/MainstemCore/Flow/Stream+HandOver.swift
  Sources/MainstemCore/Flow/Stream+SendToQueue.swift
  Sources/MainstemCore/Flow/Stream+Schedule.swift
  Sources/MainstemCore/Flow/Stream+Records.swift
  Sources/MainstemCore/Flow/Stream+Serial.swift
  Sources/MainstemCore/Flow/Stream+Hold.swift
  Sources/MainstemCore/Flow/Stream+Types.swift
  Sources/MainstemCore/Flow/Stream+Observe.swift
  Sources/MainstemCore/Flow/Stream+Cancel.swift
  Sources/MainstemCore/Flow/Stream+ObserveAtOnce.swift
  Sources/MainstemCore/Flow/Stream+Report.swift
  Sources/MainstemCore/Flow/Stream+Limits.swift
  Sources/MainstemCore/Flow/Stream+Failure.swift
  Sources/MainstemCore/Flow/Stream+Rights.swift
  Sources/MainstemCore/Flow/Stream+Horizon.swift
  Sources/MainstemCore/Flow/Stream+Attempt.swift
  Sources/MainstemCore/Flow/Stream+History.swift
  Sources/MainstemCore/Flow/Stream+Scope.swift
  Sources/MainstemCore/Flow/Stream+Origins.swift
  Sources/MainstemCore/Flow/Stream+Retain.swift
  Sources/MainstemCore/Flow/Stream+Clock.swift
  Sources/MainstemCore/Flow/Chance.swift
  Sources/MainstemCore/Flow/Stream+Timer.swift
  Sources/MainstemCore/Flow/Stream+FedTimers.swift
  Sources/MainstemCore/Flow/Stream+Interrupt.swift
  Sources/MainstemCore/Flow/Stream+Drain.swift
  Sources/MainstemCore/Flow/Stream+Describe.swift
  Sources/MainstemCore/Flow/Stream+Stats.swift
  Sources/MainstemCore/Flow/Stream+Fork.swift
  Sources/MainstemCore/Flow/Stream+Close.swift
  # Handlers: server, request, answer
  Sources/MainstemCore/Handlers/Request.swift
  Sources/MainstemCore/Handlers/OpenRequests.swift
  Sources/MainstemCore/Handlers/Activity.swift
  Sources/MainstemCore/Handlers/Stream+Request.swift
  Sources/MainstemCore/Handlers/Stream+Answers.swift
  Sources/MainstemCore/Handlers/Stream+ScheduledAnswers.swift
  Sources/MainstemCore/Handlers/Stream+Unhandled.swift
  Sources/MainstemCore/Handlers/Stream+Respond.swift
  Sources/MainstemCore/Handlers/Stream+Progress.swift
  Sources/MainstemCore/Handlers/Stream+Server.swift
  Sources/MainstemCore/Handlers/Stream+TakeUp.swift
  # Journal: what is remembered
  Sources/MainstemCore/Journal/Checksum.swift
  Sources/MainstemCore/Journal/Digest.swift
  Sources/MainstemCore/Journal/RecordFormat.swift
  Sources/MainstemCore/Journal/FileRefusal.swift
  Sources/MainstemCore/Journal/JournalPath.swift
  Sources/MainstemCore/Journal/JournalFile.swift
  Sources/MainstemCore/Journal/JournalRecord.swift
  Sources/MainstemCore/Journal/JournalNames.swift
  Sources/MainstemCore/Journal/JournalReader.swift
  Sources/MainstemCore/Journal/JournalReader+Files.swift
  Sources/MainstemCore/Journal/JournalReader+Many.swift
  Sources/MainstemCore/Journal/JournalReader+Search.swift
  Sources/MainstemCore/Journal/RecordBuilder.swift
  Sources/MainstemCore/Journal/RecordedOrigins.swift
  Sources/MainstemCore/Journal/KnownNames.swift
  Sources/MainstemCore/Journal/JournalWriter.swift
  Sources/MainstemCore/Journal/OutputFile.swift
  Sources/MainstemCore/Journal/Recorder.swift
  Sources/MainstemCore/Journal/Recorder+Write.swift
  Sources/MainstemCore/Journal/Recorder+Segments.swift
  Sources/MainstemCore/Journal/Recorder+Sync.swift
  Sources/MainstemCore/Journal/Recorder+Begin.swift
  Sources/MainstemCore/Journal/JournalReport.swift
  Sources/MainstemCore/Journal/Stream+Record.swift
  Sources/MainstemCore/Journal/OpenJournal.swift
  Sources/MainstemCore/Journal/JournalReader+Salvage.swift
  Sources/MainstemCore/Journal/SalvageRun.swift
  Sources/MainstemCore/Journal/RecordCopier.swift
  Sources/MainstemCore/Journal/Salvage.swift
  Sources/MainstemCore/Journal/NumberMap.swift
  Sources/MainstemCore/Journal/OriginDigests.swift
  Sources/MainstemCore/Journal/ReplayScout.swift
  Sources/MainstemCore/Journal/ReplaySource.swift
  Sources/MainstemCore/Journal/Replay.swift
  Sources/MainstemCore/Journal/Replay+Secrets.swift
  Sources/MainstemCore/Journal/Replay+Feed.swift
  Sources/MainstemCore/Journal/Replay+Compare.swift
  Sources/MainstemCore/Journal/Difference.swift
  Sources/MainstemCore/Journal/Replay+Open.swift
  Sources/MainstemCore/Journal/Replay+Calls.swift
  Sources/MainstemCore/Journal/Replay+Info.swift
  # Context: the composition root
  Sources/MainstemCore/Context.swift
  )

# The door: the functions of the headers, in Swift.
set(MAINSTEM_DOOR_SOURCES
  Sources/MainstemC/Call.swift
  Sources/MainstemC/Table.swift
  Sources/MainstemC/Batch.swift
  Sources/MainstemC/Options.swift
  Sources/MainstemC/BaseExports.swift
  Sources/MainstemC/EventExports.swift
  Sources/MainstemC/FlowExports.swift
  Sources/MainstemC/LoopExports.swift
  Sources/MainstemC/ObserveChoice.swift
  Sources/MainstemC/ObserveExports.swift
  Sources/MainstemC/Trace.swift
  Sources/MainstemC/HistoryExports.swift
  Sources/MainstemC/InterruptExports.swift
  Sources/MainstemC/HandlersExports.swift
  Sources/MainstemC/RecordExports.swift
  Sources/MainstemC/ReadingExports.swift
  Sources/MainstemC/ReplayExports.swift
  )

# The test kit for C: a small library of its own, on the headers.
set(MAINSTEM_TESTING_SOURCES
  Sources/MainstemTestingC/kit.h
  Sources/MainstemTestingC/text.c
  Sources/MainstemTestingC/failure.c
  Sources/MainstemTestingC/transcript.c
  Sources/MainstemTestingC/expect.c
  Sources/MainstemTestingC/stub.c
  Sources/MainstemTestingC/test.c
  Sources/MainstemTestingC/seeds.c)

list(TRANSFORM MAINSTEM_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/)
list(TRANSFORM MAINSTEM_PRIVATE_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/)
