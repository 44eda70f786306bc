# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
# The table of contents: every source in reading order, listed by hand. RepositoryTests compare it with the disk.

# Headers: the manual.
set(MAINSTEM_HEADERS
  include/mainstem.h
  include/mainstem/base.h
  include/mainstem/event.h
  include/mainstem/context.h
  include/mainstem/observe.h
  include/mainstem/flow.h
  include/mainstem/loop.h
  include/mainstem/handlers.h
  include/mainstem/owners.h
  include/mainstem/state.h
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
  # Base: what everything else builds on
  Sources/MainstemCore/Base/List.swift
  Sources/MainstemCore/Base/Status.swift
  Sources/MainstemCore/Base/Bytes.swift
  Sources/MainstemCore/Base/Escape.swift
  Sources/MainstemCore/Base/Memory.swift
  Sources/MainstemCore/Base/Chain.swift
  Sources/MainstemCore/Base/FreeList.swift
  Sources/MainstemCore/Base/Lock.swift
  Sources/MainstemCore/Base/SeededRandom.swift
  Sources/MainstemCore/Base/Name.swift
  Sources/MainstemCore/Base/Phrase.swift
  Sources/MainstemCore/Base/HashTable.swift
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
  Sources/MainstemCore/Event/QueuedEvent.swift
  Sources/MainstemCore/Event/EndMark.swift
  Sources/MainstemCore/Event/EventQueue.swift
  Sources/MainstemCore/Event/CallbackCount.swift
  Sources/MainstemCore/Event/Refused.swift
  Sources/MainstemCore/Event/Scalar.swift
  Sources/MainstemCore/Event/EventLine.swift
  Sources/MainstemCore/Event/RecordBuffer.swift
  Sources/MainstemCore/Event/JSONWriter.swift
  Sources/MainstemCore/Event/HandlerRow.swift
  # Flow: one stream. Handles: which stream and scope a handle names
  Sources/MainstemCore/Flow/Handles/Threads.swift
  Sources/MainstemCore/Flow/Handles/Ownership.swift
  Sources/MainstemCore/Flow/Handles/ResolvedHandle.swift
  Sources/MainstemCore/Flow/Handles/Stream+Of.swift
  # Order: the state word, positions, the delivery lock
  Sources/MainstemCore/Flow/Order/StateWord.swift
  Sources/MainstemCore/Flow/Order/Order.swift
  Sources/MainstemCore/Flow/Order/Duty.swift
  Sources/MainstemCore/Flow/Order/Stream+Positions.swift
  Sources/MainstemCore/Flow/Order/Stream+DeliveryLock.swift
  Sources/MainstemCore/Flow/Order/Stream+AtOnce.swift
  # Admission: the way in, limits, cascades
  Sources/MainstemCore/Flow/Admission/Limits.swift
  Sources/MainstemCore/Flow/Admission/Admissions.swift
  Sources/MainstemCore/Flow/Admission/CascadeLog.swift
  Sources/MainstemCore/Flow/Admission/ResolvedHandle+Draft.swift
  Sources/MainstemCore/Flow/Admission/Admission.swift
  Sources/MainstemCore/Flow/Admission/Stream+Admit.swift
  Sources/MainstemCore/Flow/Admission/Placed.swift
  Sources/MainstemCore/Flow/Admission/Candidate.swift
  Sources/MainstemCore/Flow/Admission/Arrival.swift
  Sources/MainstemCore/Flow/Admission/KeptEvent.swift
  Sources/MainstemCore/Flow/Admission/Stream+LetIn.swift
  Sources/MainstemCore/Flow/Admission/Stream+Accept.swift
  Sources/MainstemCore/Flow/Admission/Stream+Send.swift
  Sources/MainstemCore/Flow/Admission/PackedEvents.swift
  Sources/MainstemCore/Flow/Admission/Gathering.swift
  Sources/MainstemCore/Flow/Admission/Stream+Cascade.swift
  # Delivery: what the deliverer does
  Sources/MainstemCore/Flow/Delivery/Delivery.swift
  Sources/MainstemCore/Flow/Delivery/Stream+Deliver.swift
  Sources/MainstemCore/Flow/Delivery/Stream+Waiting.swift
  Sources/MainstemCore/Flow/Delivery/Stream+QueuedOrigins.swift
  Sources/MainstemCore/Flow/Delivery/Stream+Deferred.swift
  # Callbacks: which one runs on a thread, and what it attempts
  Sources/MainstemCore/Flow/Callbacks/Frame.swift
  Sources/MainstemCore/Flow/Callbacks/Stream+Attempt.swift
  # Observers: tables by type, registration, cancel, filters, history
  Sources/MainstemCore/Flow/Observers/Histories.swift
  Sources/MainstemCore/Flow/Observers/Joiners.swift
  Sources/MainstemCore/Flow/Observers/Observers.swift
  Sources/MainstemCore/Flow/Observers/Stream+Call.swift
  Sources/MainstemCore/Flow/Observers/Stream+Enroll.swift
  Sources/MainstemCore/Flow/Observers/TypeObservers+Scheduled.swift
  Sources/MainstemCore/Flow/Observers/TypeObservers+Handlers.swift
  Sources/MainstemCore/Flow/Observers/TypeObservers.swift
  Sources/MainstemCore/Flow/Observers/TypeObservers+Values.swift
  Sources/MainstemCore/Flow/Observers/OriginRow.swift
  Sources/MainstemCore/Flow/Observers/OriginObservers.swift
  Sources/MainstemCore/Flow/Observers/ObserverTable.swift
  Sources/MainstemCore/Flow/Observers/Filter.swift
  Sources/MainstemCore/Flow/Observers/Timing.swift
  Sources/MainstemCore/Flow/Observers/Subscription.swift
  Sources/MainstemCore/Flow/Observers/Subscription+Call.swift
  Sources/MainstemCore/Flow/Observers/Subscription+Stats.swift
  Sources/MainstemCore/Flow/Observers/History.swift
  Sources/MainstemCore/Flow/Observers/History+Bounds.swift
  Sources/MainstemCore/Flow/Observers/Registration.swift
  Sources/MainstemCore/Flow/Observers/Stream+Observe.swift
  Sources/MainstemCore/Flow/Observers/Stream+Join.swift
  Sources/MainstemCore/Flow/Observers/Stream+Rows.swift
  Sources/MainstemCore/Flow/Observers/Stream+OriginRows.swift
  Sources/MainstemCore/Flow/Observers/Stream+Subscriptions.swift
  Sources/MainstemCore/Flow/Observers/Stream+Cancel.swift
  Sources/MainstemCore/Flow/Observers/Stream+ObserveAtOnce.swift
  Sources/MainstemCore/Flow/Observers/Stream+Failure.swift
  Sources/MainstemCore/Flow/Observers/Stream+History.swift
  # Values: the last event of each scope, set and kept
  Sources/MainstemCore/Flow/Values/Value.swift
  Sources/MainstemCore/Flow/Values/Values.swift
  Sources/MainstemCore/Flow/Values/Stream+KeepValue.swift
  Sources/MainstemCore/Flow/Values/Stream+LateValues.swift
  Sources/MainstemCore/Flow/Values/Stream+SetValue.swift
  Sources/MainstemCore/Flow/Values/Stream+SetAtOnce.swift
  # Scopes: origins, rights, budgets, retained events
  Sources/MainstemCore/Flow/Shows/Show.swift
  Sources/MainstemCore/Flow/Shows/TypeObservers+Shows.swift
  Sources/MainstemCore/Flow/Shows/Stream+Shows.swift
  Sources/MainstemCore/Flow/Shows/Stream+FirstShows.swift
  Sources/MainstemCore/Flow/Scopes/Rights.swift
  Sources/MainstemCore/Flow/Scopes/Budget.swift
  Sources/MainstemCore/Flow/Scopes/Scope.swift
  Sources/MainstemCore/Flow/Scopes/ScopeNumbers.swift
  Sources/MainstemCore/Flow/Scopes/Origins.swift
  Sources/MainstemCore/Flow/Scopes/Origins+Values.swift
  Sources/MainstemCore/Flow/Scopes/Origins+Live.swift
  Sources/MainstemCore/Flow/Scopes/Servers.swift
  Sources/MainstemCore/Flow/Scopes/RetainedEvents.swift
  Sources/MainstemCore/Flow/Scopes/EndNotice.swift
  Sources/MainstemCore/Flow/Scopes/Scopes.swift
  Sources/MainstemCore/Flow/Scopes/Stream+Rights.swift
  Sources/MainstemCore/Flow/Scopes/Stream+Scope.swift
  Sources/MainstemCore/Flow/Scopes/Stream+FindScope.swift
  Sources/MainstemCore/Flow/Scopes/Stream+Ends.swift
  Sources/MainstemCore/Flow/Scopes/Stream+Watch.swift
  Sources/MainstemCore/Flow/Scopes/Stream+Origins.swift
  Sources/MainstemCore/Flow/Scopes/Stream+Retain.swift
  # Schedulers: queues, policies, promises of room, serial threads
  Sources/MainstemCore/Flow/Schedulers/QueueEntry.swift
  Sources/MainstemCore/Flow/Schedulers/FreeEvents.swift
  Sources/MainstemCore/Flow/Schedulers/SubscriptionQueue.swift
  Sources/MainstemCore/Flow/Schedulers/Scheduler.swift
  Sources/MainstemCore/Flow/Schedulers/Scheduler+HandOver.swift
  Sources/MainstemCore/Flow/Schedulers/Scheduler+Promises.swift
  Sources/MainstemCore/Flow/Schedulers/Schedulers.swift
  Sources/MainstemCore/Flow/Schedulers/Stream+Queue.swift
  Sources/MainstemCore/Flow/Schedulers/Stream+Gap.swift
  Sources/MainstemCore/Flow/Schedulers/Stream+ScheduledOrigins.swift
  Sources/MainstemCore/Flow/Schedulers/Stream+Room.swift
  Sources/MainstemCore/Flow/Schedulers/Stream+HandOver.swift
  Sources/MainstemCore/Flow/Schedulers/Stream+SendToQueue.swift
  Sources/MainstemCore/Flow/Schedulers/Stream+Schedule.swift
  Sources/MainstemCore/Flow/Schedulers/Stream+Completions.swift
  Sources/MainstemCore/Flow/Schedulers/Stream+ScheduledEnd.swift
  Sources/MainstemCore/Flow/Schedulers/Stream+Records.swift
  Sources/MainstemCore/Flow/Schedulers/Stream+Serial.swift
  # Loop: wake, timers, posts, interrupts, drain, wait
  Sources/MainstemCore/Flow/Loop/Deadline.swift
  Sources/MainstemCore/Flow/Loop/Timer.swift
  Sources/MainstemCore/Flow/Loop/Inbox.swift
  Sources/MainstemCore/Flow/Loop/InterruptRing.swift
  Sources/MainstemCore/Flow/Loop/Wake.swift
  Sources/MainstemCore/Flow/Loop/Clock.swift
  Sources/MainstemCore/Flow/Loop/Chance.swift
  Sources/MainstemCore/Flow/Loop/Loop.swift
  Sources/MainstemCore/Flow/Loop/Stream+Wake.swift
  Sources/MainstemCore/Flow/Loop/Stream+Clock.swift
  Sources/MainstemCore/Flow/Loop/Stream+Draw.swift
  Sources/MainstemCore/Flow/Loop/Stream+Timer.swift
  Sources/MainstemCore/Flow/Loop/Stream+FedTimers.swift
  Sources/MainstemCore/Flow/Loop/Stream+Interrupt.swift
  Sources/MainstemCore/Flow/Loop/Stream+Post.swift
  Sources/MainstemCore/Flow/Loop/DrainTask.swift
  Sources/MainstemCore/Flow/Loop/Stream+Drain.swift
  # Port: where the stations above connect: requests, a recorder, a source
  Sources/MainstemCore/Flow/Port/Listener.swift
  Sources/MainstemCore/Flow/Port/RequestFunctions.swift
  Sources/MainstemCore/Flow/Port/RecorderFunctions.swift
  Sources/MainstemCore/Flow/Port/SourceFunctions.swift
  Sources/MainstemCore/Flow/Port/Feed.swift
  Sources/MainstemCore/Flow/Port/Port.swift
  Sources/MainstemCore/Flow/Port/Stream+Recording.swift
  Sources/MainstemCore/Flow/Port/ReadPoint.swift
  Sources/MainstemCore/Flow/Port/Stream+Refused.swift
  Sources/MainstemCore/Flow/Port/Stream+Feed.swift
  # Reports: what a stream tells about itself
  Sources/MainstemCore/Flow/Reports/Reports.swift
  Sources/MainstemCore/Flow/Reports/Stream+Report.swift
  Sources/MainstemCore/Flow/Reports/Stream+Describe.swift
  # The stream itself, which joins these parts
  Sources/MainstemCore/Flow/DelivererState.swift
  Sources/MainstemCore/Flow/Stream.swift
  Sources/MainstemCore/Flow/Stream+Types.swift
  Sources/MainstemCore/Flow/Stream+Fork.swift
  Sources/MainstemCore/Flow/Stream+Close.swift
  # Handlers: server, request, answer
  Sources/MainstemCore/Handlers/Request.swift
  Sources/MainstemCore/Handlers/SettledCall.swift
  Sources/MainstemCore/Handlers/AskedOnce.swift
  Sources/MainstemCore/Handlers/OpenRequests.swift
  Sources/MainstemCore/Handlers/Activity.swift
  Sources/MainstemCore/Handlers/Stream+Request.swift
  Sources/MainstemCore/Handlers/Stream+Track.swift
  Sources/MainstemCore/Handlers/Stream+Answers.swift
  Sources/MainstemCore/Handlers/Stream+ScheduledAnswers.swift
  Sources/MainstemCore/Handlers/Stream+Unhandled.swift
  Sources/MainstemCore/Handlers/Stream+Respond.swift
  Sources/MainstemCore/Handlers/Stream+Settled.swift
  Sources/MainstemCore/Handlers/Stream+Progress.swift
  Sources/MainstemCore/Handlers/Stream+Share.swift
  Sources/MainstemCore/Handlers/Stream+SharedAnswers.swift
  Sources/MainstemCore/Handlers/Stream+Server.swift
  Sources/MainstemCore/Handlers/Factory.swift
  Sources/MainstemCore/Handlers/Stream+TakeUp.swift
  Sources/MainstemCore/State/ModelRowGiven.swift
  Sources/MainstemCore/State/Model.swift
  Sources/MainstemCore/State/Model+Prepare.swift
  Sources/MainstemCore/State/Command.swift
  Sources/MainstemCore/State/Run.swift
  Sources/MainstemCore/State/Stream+Runs.swift
  Sources/MainstemCore/State/Stream+ReadBool.swift
  Sources/MainstemCore/State/Model+Show.swift
  Sources/MainstemCore/State/Binding.swift
  Sources/MainstemCore/State/ChangeSet.swift
  Sources/MainstemCore/State/Stream+Binding.swift
  Sources/MainstemCore/State/Binding+OnHost.swift
  Sources/MainstemCore/State/Binding+Write.swift
  Sources/MainstemCore/State/RunHold.swift
  Sources/MainstemCore/State/Binding+Run.swift
  Sources/MainstemCore/State/Binding+Changes.swift
  Sources/MainstemCore/State/Binding+Ended.swift
  # Journal: format, record, read, replay
  Sources/MainstemCore/Journal/Format/Checksum.swift
  Sources/MainstemCore/Journal/Format/Digest.swift
  Sources/MainstemCore/Journal/Format/RecordFormat.swift
  Sources/MainstemCore/Journal/Format/FileRefusal.swift
  Sources/MainstemCore/Journal/Format/JournalPath.swift
  Sources/MainstemCore/Journal/Format/JournalRecord.swift
  Sources/MainstemCore/Journal/Format/JournalNames.swift
  Sources/MainstemCore/Journal/Format/RecordBuilder.swift
  Sources/MainstemCore/Journal/Format/KnownNames.swift
  Sources/MainstemCore/Journal/Format/NumberMap.swift
  Sources/MainstemCore/Journal/Format/OriginDigests.swift
  Sources/MainstemCore/Journal/Record/RecordedOrigins.swift
  Sources/MainstemCore/Journal/Record/JournalWriter.swift
  Sources/MainstemCore/Journal/Record/OutputFile.swift
  Sources/MainstemCore/Journal/Record/Recorder.swift
  Sources/MainstemCore/Journal/Record/Recorder+Write.swift
  Sources/MainstemCore/Journal/Record/Recorder+Segments.swift
  Sources/MainstemCore/Journal/Record/Recorder+Sync.swift
  Sources/MainstemCore/Journal/Record/Recorder+Begin.swift
  Sources/MainstemCore/Journal/Record/Stream+Record.swift
  Sources/MainstemCore/Journal/Record/JournalReport.swift
  Sources/MainstemCore/Journal/Record/OpenJournal.swift
  Sources/MainstemCore/Journal/Read/JournalFile.swift
  Sources/MainstemCore/Journal/Read/JournalReader.swift
  Sources/MainstemCore/Journal/Read/JournalReader+Files.swift
  Sources/MainstemCore/Journal/Read/JournalReader+Many.swift
  Sources/MainstemCore/Journal/Read/JournalReader+Search.swift
  Sources/MainstemCore/Journal/Read/JournalReader+Salvage.swift
  Sources/MainstemCore/Journal/Read/SalvageRun.swift
  Sources/MainstemCore/Journal/Read/RecordCopier.swift
  Sources/MainstemCore/Journal/Read/Salvage.swift
  Sources/MainstemCore/Journal/Replay/Closing.swift
  Sources/MainstemCore/Journal/Replay/ReplayScout.swift
  Sources/MainstemCore/Journal/Replay/ReplayNumbers.swift
  Sources/MainstemCore/Journal/Replay/ReplaySource.swift
  Sources/MainstemCore/Journal/Replay/Replay.swift
  Sources/MainstemCore/Journal/Replay/Replay+Secrets.swift
  Sources/MainstemCore/Journal/Replay/Replay+Feed.swift
  Sources/MainstemCore/Journal/Replay/Replay+Compare.swift
  Sources/MainstemCore/Journal/Replay/Difference.swift
  Sources/MainstemCore/Journal/Replay/Replay+Open.swift
  Sources/MainstemCore/Journal/Replay/Replay+Calls.swift
  Sources/MainstemCore/Journal/Replay/Replay+Info.swift
  # The context
  Sources/MainstemCore/Context.swift)

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
  Sources/MainstemC/ValueExports.swift
  Sources/MainstemC/InterruptExports.swift
  Sources/MainstemC/ServerChoice.swift
  Sources/MainstemC/HandlersExports.swift
  Sources/MainstemC/OwnerExports.swift
  Sources/MainstemC/StateExports.swift
  Sources/MainstemC/RecordExports.swift
  Sources/MainstemC/ReadingExports.swift
  Sources/MainstemC/ReplayExports.swift
  )

# The test kit for C: a small library on top of the headers.
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
