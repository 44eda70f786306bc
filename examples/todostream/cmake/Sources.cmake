# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
# Every source of the app, by layer, listed by hand in reading order.

set(TODOSTREAM_MODEL_SOURCES
  Sources/TodoModel/Moment.swift
  Sources/TodoModel/Priority.swift
  Sources/TodoModel/Todo.swift
  Sources/TodoModel/OrderKey.swift
  Sources/TodoModel/Todo+Order.swift
  Sources/TodoModel/Todo+Move.swift
  Sources/TodoModel/TodoStore.swift
  Sources/TodoModel/StoreError.swift)

set(TODOSTREAM_VIEWMODEL_SOURCES
  Sources/TodoViewModel/TodoViewModel.swift
  Sources/TodoViewModel/Priority+Text.swift
  Sources/TodoViewModel/TodoDetailViewModel.swift
  Sources/TodoViewModel/TodoDetailViewModel+Codable.swift
  Sources/TodoViewModel/TodoDetailViewModel+Validation.swift
  Sources/TodoViewModel/UserError.swift
  Sources/TodoViewModel/TodoListSummary.swift
  Sources/TodoViewModel/TodoListViewModel.swift)

set(TODOSTREAM_SQLITE_SOURCES
  Sources/TodoSQLite/SQLiteStore.swift
  Sources/TodoSQLite/Patience.swift
  Sources/TodoSQLite/TodoTable.swift
  Sources/TodoSQLite/Database.swift
  Sources/TodoSQLite/Statement.swift
  Sources/TodoSQLite/StoreError+SQLite.swift)

set(TODOSTREAM_SERVER_SOURCES
  Sources/TodoServers/Events/ModelEvents.swift
  Sources/TodoServers/Events/ListEvents.swift
  Sources/TodoServers/Events/RowEvents.swift
  Sources/TodoServers/Events/DetailEvents.swift
  Sources/TodoServers/Model/ModelServer.swift
  Sources/TodoServers/Model/Failure+Store.swift
  Sources/TodoServers/ViewModel/ViewModelServer.swift
  Sources/TodoServers/ViewModel/SelectedRows.swift
  Sources/TodoServers/ViewModel/ViewModelServer+List.swift
  Sources/TodoServers/ViewModel/ViewModelServer+Row.swift
  Sources/TodoServers/ViewModel/ViewModelServer+Purge.swift
  Sources/TodoServers/ViewModel/Deletions.swift
  Sources/TodoServers/ViewModel/ViewModelServer+Undo.swift
  Sources/TodoServers/ViewModel/ViewModelServer+Move.swift
  Sources/TodoServers/ViewModel/ViewModelServer+Detail.swift
  Sources/TodoServers/ViewModel/Failure+User.swift
  Sources/TodoServers/Analytics/Analytics.swift
  Sources/TodoServers/Analytics/AnalyticsRule+Todo.swift)

set(TODOSTREAM_DOOR_SOURCES
  Sources/TodostreamC/Install.swift)
