# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
# The table of contents: every source in reading order, listed by hand. RepositoryTests compare it with the disk.

# Headers: the manual.
set(MAINSTEM_HEADERS
  include/mainstem.h
  include/mainstem/core.h
  include/mainstem/types.h
  include/mainstem/context.h
  include/mainstem/scopes.h
  include/mainstem/observing.h
  include/mainstem/requests.h
  include/mainstem/screens.h
  include/mainstem/lists.h
  include/mainstem/blocks.h
  include/mainstem/queries.h
  include/mainstem/reactor.h
  include/mainstem/recording.h
  include/mainstem/journal.h
  include/mainstem/replay.h
  include/mainstem/routes.h
  include/mainstem/navigation.h
  include/mainstem/stage.h
  include/mainstem/loop.h
  include/mainstem/languages.h
  include/mainstem/testing.h)

# The bridge to NATS, and its own headers.
set(MAINSTEM_NATS_HEADERS
  include/mainstem/nats_bridge.h
  include/mainstem/nats_mirror.h
  include/mainstem/nats_import.h
  include/mainstem/nats_requests.h
  include/mainstem/nats.h)
set(MAINSTEM_NATS_SOURCES
  Sources/MainstemNATS/include/mainstem_nats_swift.h
  Sources/MainstemNATS/Bridge/bridge.h
  Sources/MainstemNATS/Bridge/message.c
  Sources/MainstemNATS/Bridge/subject.c
  Sources/MainstemNATS/Bridge/settings.c
  Sources/MainstemNATS/Bridge/guard.h
  Sources/MainstemNATS/Bridge/guard.c
  Sources/MainstemNATS/Bridge/server.c
  Sources/MainstemNATS/Bridge/bridge.c
  Sources/MainstemNATS/Entries/entries.h
  Sources/MainstemNATS/Entries/entry.c
  Sources/MainstemNATS/Entries/place.c
  Sources/MainstemNATS/Mirror/mirror.c
  Sources/MainstemNATS/Fetch/fetch.h
  Sources/MainstemNATS/Fetch/copy.c
  Sources/MainstemNATS/Fetch/gather.c
  Sources/MainstemNATS/Fetch/fetch.c
  Sources/MainstemNATS/Requests/requests.h
  Sources/MainstemNATS/Requests/request.c
  Sources/MainstemNATS/Requests/link.c
  Sources/MainstemNATS/Requests/forward.h
  Sources/MainstemNATS/Requests/forward.c
  Sources/MainstemNATS/Requests/asking.c
  Sources/MainstemNATS/Requests/serve.h
  Sources/MainstemNATS/Requests/serve.c
  Sources/MainstemNATS/Requests/arrivals.c
  Sources/MainstemNATS/Import/import.h
  Sources/MainstemNATS/Import/books.c
  Sources/MainstemNATS/Import/consumer.c
  Sources/MainstemNATS/Import/intake.c
  Sources/MainstemNATS/Import/batch.c
  Sources/MainstemNATS/Import/written.c
  Sources/MainstemNATS/Import/import.c)

# The shim: libc, atomics and thread-local state for Swift.
set(MAINSTEM_PRIVATE_HEADERS
  Sources/CMainstem/include/mainstem_private.h
  Sources/CMainstem/include/module.modulemap)
set(MAINSTEM_SHIM_SOURCES
  Sources/CMainstem/shim.c
  Sources/CMainstem/checksum.c
  Sources/CMainstem/reading.c
  Sources/CMainstem/writing.c)

# The core.
set(MAINSTEM_CORE_SOURCES
  # Base: what everything else builds on
  Sources/MainstemCore/Base/List.swift
  Sources/MainstemCore/Base/Bytes.swift
  Sources/MainstemCore/Base/Refusal.swift
  Sources/MainstemCore/Base/JSONReader.swift
  Sources/MainstemCore/Base/Memory.swift
  Sources/MainstemCore/Base/Lock.swift
  Sources/MainstemCore/Base/SeededRandom.swift
  Sources/MainstemCore/Base/HashTable.swift
  Sources/MainstemCore/Base/Handle.swift
  # Event: what happened
  Sources/MainstemCore/Event/Contract.swift
  Sources/MainstemCore/Event/EventTypes.swift
  Sources/MainstemCore/Event/ErrorValue.swift
  Sources/MainstemCore/Event/Draft.swift
  Sources/MainstemCore/Event/QueuedEvent.swift
  Sources/MainstemCore/Event/Noted.swift
  Sources/MainstemCore/Event/EventLine.swift
  Sources/MainstemCore/Event/RecordBuffer.swift
  Sources/MainstemCore/Event/JSONWriter.swift
  Sources/MainstemCore/Event/Lists/ListChanges.swift
  Sources/MainstemCore/Event/Lists/ListDifference.swift
  Sources/MainstemCore/Event/Lists/ListVersion.swift
  Sources/MainstemCore/Event/Lists/RowChunk.swift
  Sources/MainstemCore/Event/HandlerRow.swift
  # Flow: one stream. Handles: which stream and scope a handle names
  Sources/MainstemCore/Flow/Handles/Ownership.swift
  Sources/MainstemCore/Flow/Handles/ResolvedHandle.swift
  # Order: the state word, positions, the delivery lock
  Sources/MainstemCore/Flow/Order/Order.swift
  Sources/MainstemCore/Flow/Order/DeliveryLock.swift
  # Admission: the way in, limits, cascades
  Sources/MainstemCore/Flow/Admission/Admission.swift
  Sources/MainstemCore/Flow/Admission/Arrival.swift
  Sources/MainstemCore/Flow/Admission/Acceptance.swift
  Sources/MainstemCore/Flow/Admission/Sending.swift
  Sources/MainstemCore/Flow/Admission/Gathering.swift
  Sources/MainstemCore/Flow/Admission/Cascade.swift
  # Delivery: what the deliverer does
  Sources/MainstemCore/Flow/Delivery/Delivery.swift
  Sources/MainstemCore/Flow/Delivery/Deliverer.swift
  # Callbacks: which one runs on a thread, and what it attempts
  Sources/MainstemCore/Flow/Callbacks/Frame.swift
  Sources/MainstemCore/Flow/Callbacks/Attempt.swift
  # Observers: tables by type, registration, cancel, filters, history
  Sources/MainstemCore/Flow/Observers/Observers.swift
  Sources/MainstemCore/Flow/Observers/TypeObservers.swift
  Sources/MainstemCore/Flow/Observers/OriginObservers.swift
  Sources/MainstemCore/Flow/Observers/HandlerObservers.swift
  Sources/MainstemCore/Flow/Observers/Subscription.swift
  Sources/MainstemCore/Flow/Observers/Registration.swift
  Sources/MainstemCore/Flow/Observers/Rows.swift
  Sources/MainstemCore/Flow/Observers/Calls.swift
  Sources/MainstemCore/Flow/Observers/Cancellation.swift
  Sources/MainstemCore/Flow/Observers/Failures.swift
  Sources/MainstemCore/Flow/Observers/History.swift
  Sources/MainstemCore/Flow/Observers/LateEvents.swift
  # Values: the last event of each scope, set and kept
  Sources/MainstemCore/Flow/Values/Value.swift
  Sources/MainstemCore/Flow/Values/Values.swift
  Sources/MainstemCore/Flow/Values/FedLists.swift
  Sources/MainstemCore/Flow/Values/SetChildren.swift
  Sources/MainstemCore/Flow/Values/SetList.swift
  Sources/MainstemCore/Flow/Values/SetValue.swift
  Sources/MainstemCore/Flow/Values/Effect.swift
  # Shows: what servers show, and the answers held for it
  Sources/MainstemCore/Flow/Shows/Show.swift
  Sources/MainstemCore/Flow/Shows/OwedShows.swift
  # Scopes: origins, rights, budgets, retained events
  Sources/MainstemCore/Flow/Scopes/Rights.swift
  Sources/MainstemCore/Flow/Scopes/Budget.swift
  Sources/MainstemCore/Flow/Scopes/Scope.swift
  Sources/MainstemCore/Flow/Scopes/Origins.swift
  Sources/MainstemCore/Flow/Scopes/ScopeNumbers.swift
  Sources/MainstemCore/Flow/Scopes/Ends.swift
  Sources/MainstemCore/Flow/Scopes/ToldEnds.swift
  Sources/MainstemCore/Flow/Scopes/Scopes.swift
  Sources/MainstemCore/Flow/Scopes/Description.swift
  Sources/MainstemCore/Flow/Scopes/RetainedEvents.swift
  # Schedulers: queues, policies, promises of room, serial threads
  Sources/MainstemCore/Flow/Schedulers/QueueEntry.swift
  Sources/MainstemCore/Flow/Schedulers/SubscriptionQueue.swift
  Sources/MainstemCore/Flow/Schedulers/Scheduler.swift
  Sources/MainstemCore/Flow/Schedulers/Schedulers.swift
  Sources/MainstemCore/Flow/Schedulers/Room.swift
  Sources/MainstemCore/Flow/Schedulers/HandOver.swift
  Sources/MainstemCore/Flow/Schedulers/ScheduledDelivery.swift
  Sources/MainstemCore/Flow/Schedulers/Mailbox.swift
  # Loop: wake, timers, posts, interrupts, drain, wait
  Sources/MainstemCore/Flow/Loop/Loop.swift
  Sources/MainstemCore/Flow/Loop/Wake.swift
  Sources/MainstemCore/Flow/Loop/Clock.swift
  Sources/MainstemCore/Flow/Loop/Chance.swift
  Sources/MainstemCore/Flow/Loop/Deadline.swift
  Sources/MainstemCore/Flow/Loop/Timer.swift
  Sources/MainstemCore/Flow/Loop/Interrupts.swift
  Sources/MainstemCore/Flow/Loop/Inbox.swift
  Sources/MainstemCore/Flow/Loop/Drain.swift
  # Port: where the stations above connect: requests, a recorder, a source
  Sources/MainstemCore/Flow/Port/Port.swift
  Sources/MainstemCore/Flow/Port/Recording.swift
  Sources/MainstemCore/Flow/Port/Feed.swift
  # Reports: what a stream tells about itself
  Sources/MainstemCore/Flow/Reports/Reports.swift
  # The stream itself, which joins these parts
  Sources/MainstemCore/Flow/Stream.swift
  # Handlers: server, request, answer
  Sources/MainstemCore/Handlers/Request.swift
  Sources/MainstemCore/Handlers/Requesting.swift
  Sources/MainstemCore/Handlers/Answers.swift
  Sources/MainstemCore/Handlers/Unanswered.swift
  Sources/MainstemCore/Handlers/Responding.swift
  Sources/MainstemCore/Handlers/SettledCall.swift
  Sources/MainstemCore/Handlers/AskedOnce.swift
  Sources/MainstemCore/Handlers/Activity.swift
  Sources/MainstemCore/Handlers/Server.swift
  Sources/MainstemCore/Handlers/Factory.swift
  Sources/MainstemCore/Handlers/Service.swift
  Sources/MainstemCore/Handlers/FedRequests.swift
  # State: models, commands, bindings, change sets
  Sources/MainstemCore/State/Model.swift
  Sources/MainstemCore/State/Command.swift
  Sources/MainstemCore/State/Run.swift
  Sources/MainstemCore/State/Reactor.swift
  Sources/MainstemCore/State/Binding.swift
  Sources/MainstemCore/State/Binding+Write.swift
  Sources/MainstemCore/State/Binding+Run.swift
  Sources/MainstemCore/State/ChangeSet.swift
  Sources/MainstemCore/State/Queries/OrderKey.swift
  Sources/MainstemCore/State/Queries/Query.swift
  Sources/MainstemCore/State/Queries/QueryMaker.swift
  Sources/MainstemCore/State/Queries/QueryParser.swift
  Sources/MainstemCore/State/Queries/QueryValue.swift
  Sources/MainstemCore/State/Queries/QuerySelection.swift
  Sources/MainstemCore/State/Queries/QuerySQL.swift
  # Journal: format, record, read, replay
  Sources/MainstemCore/Journal/Format/RecordFormat.swift
  Sources/MainstemCore/Journal/Format/RecordBuilder.swift
  Sources/MainstemCore/Journal/Format/JournalNames.swift
  Sources/MainstemCore/Journal/Format/KnownNames.swift
  Sources/MainstemCore/Journal/Format/Digest.swift
  Sources/MainstemCore/Journal/Format/JournalPath.swift
  Sources/MainstemCore/Journal/Record/JournalWriter.swift
  Sources/MainstemCore/Journal/Record/OutputFile.swift
  Sources/MainstemCore/Journal/Record/RecordedLists.swift
  Sources/MainstemCore/Journal/Record/Recorder.swift
  Sources/MainstemCore/Journal/Record/Recorder+Files.swift
  Sources/MainstemCore/Journal/Record/Recorder+Write.swift
  Sources/MainstemCore/Journal/Record/OpenJournal.swift
  Sources/MainstemCore/Journal/Read/JournalFile.swift
  Sources/MainstemCore/Journal/Read/JournalReader.swift
  Sources/MainstemCore/Journal/Read/JournalReader+Many.swift
  Sources/MainstemCore/Journal/Read/Damage.swift
  Sources/MainstemCore/Journal/Read/Salvage.swift
  Sources/MainstemCore/Journal/Replay/ReplayScout.swift
  Sources/MainstemCore/Journal/Replay/ReplayNumbers.swift
  Sources/MainstemCore/Journal/Replay/ReplaySource.swift
  Sources/MainstemCore/Journal/Replay/Replay.swift
  Sources/MainstemCore/Journal/Replay/Replay+Feed.swift
  Sources/MainstemCore/Journal/Replay/Replay+Secrets.swift
  Sources/MainstemCore/Journal/Replay/Difference.swift
  Sources/MainstemCore/Journal/Replay/Replay+Calls.swift
  # Navigation: which route a URL takes
  Sources/MainstemCore/Navigation/RoutePattern.swift
  Sources/MainstemCore/Navigation/Router.swift
  Sources/MainstemCore/Navigation/SplitURL.swift
  Sources/MainstemCore/Navigation/RouteMatch.swift
  Sources/MainstemCore/Navigation/RouteWriter.swift
  Sources/MainstemCore/Navigation/OpenRouter.swift
  # Navigator: moves, guards, flows, the tree
  Sources/MainstemCore/Navigation/Navigator/JSONMembers.swift
  Sources/MainstemCore/Navigation/Navigator/Component.swift
  Sources/MainstemCore/Navigation/Navigator/ComponentTree.swift
  Sources/MainstemCore/Navigation/Navigator/Move.swift
  Sources/MainstemCore/Navigation/Navigator/Navigator.swift
  Sources/MainstemCore/Navigation/Navigator/Navigator+Take.swift
  Sources/MainstemCore/Navigation/Navigator/Guards.swift
  Sources/MainstemCore/Navigation/Navigator/Navigator+Open.swift
  Sources/MainstemCore/Navigation/Navigator/Navigator+Close.swift
  Sources/MainstemCore/Navigation/Navigator/Navigator+Answer.swift
  Sources/MainstemCore/Navigation/Navigator/Navigator+Calls.swift
  Sources/MainstemCore/Navigation/Navigator/Intents.swift
  Sources/MainstemCore/Navigation/Navigator/MutedStage.swift
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
  Sources/MainstemC/ListExports.swift
  Sources/MainstemC/Blocks/Gate.swift
  Sources/MainstemC/Blocks/GateExports.swift
  Sources/MainstemC/QueryExports.swift
  Sources/MainstemC/Blocks/Workflow.swift
  Sources/MainstemC/Blocks/WorkflowPayload.swift
  Sources/MainstemC/Blocks/WorkflowExports.swift
  Sources/MainstemC/Blocks/PassingOn.swift
  Sources/MainstemC/Blocks/Resource.swift
  Sources/MainstemC/Blocks/Resources.swift
  Sources/MainstemC/Blocks/ResourcesExports.swift
  Sources/MainstemC/Blocks/UndoLog.swift
  Sources/MainstemC/Blocks/UndoLogExports.swift
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
  Sources/MainstemC/ServiceExports.swift
  Sources/MainstemC/StateExports.swift
  Sources/MainstemC/ReactorExports.swift
  Sources/MainstemC/RecordExports.swift
  Sources/MainstemC/ReadingExports.swift
  Sources/MainstemC/ReplayExports.swift
  Sources/MainstemC/NavigationExports.swift
  Sources/MainstemC/NavigatorExports.swift
  Sources/MainstemC/StageExports.swift
  )

# The test kit for C: a small library on top of the headers.
set(MAINSTEM_TESTING_SOURCES
  Sources/MainstemTestingC/kit.h
  Sources/MainstemTestingC/text.c
  Sources/MainstemTestingC/failure.c
  Sources/MainstemTestingC/transcript.c
  Sources/MainstemTestingC/expect.c
  Sources/MainstemTestingC/stub.c
  Sources/MainstemTestingC/stage.c
  Sources/MainstemTestingC/test.c
  Sources/MainstemTestingC/seeds.c)

list(TRANSFORM MAINSTEM_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/)
list(TRANSFORM MAINSTEM_PRIVATE_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/)
