// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import TodoModel
import TodoViewModel

extension [AnalyticsRule] {
  /// What is told about todos: what was done and what failed. No text of a user, no name of a list, no id.
  public static var todos: Self {
    [
      AnalyticsRule(results: ResponseTodoViewModels.self, failuresOnly),
      AnalyticsRule(RequestTodoViewModels.self) { ["query": .flag($0.query != nil)] },
      AnalyticsRule(results: ResponseUpdateDetailViewModel.self, edit),
      AnalyticsRule(ResponseTodoDetailViewModel.self) {
        $0.detail.error == nil ? nil : ["unsaved": .flag(true)]
      },
      AnalyticsRule(RequestToggleCompleteTodoViewModel.self) {
        ["complete": .flag(!$0.row.isComplete)]
      },
      AnalyticsRule(RequestDeleteTodoViewModel.self),
      AnalyticsRule(RequestRestoreTodoViewModel.self),
      AnalyticsRule(RequestUndoDeleteTodoViewModel.self),
      AnalyticsRule(RequestMoveTodoViewModel.self),
      AnalyticsRule(RequestPurgeTodoViewModel.self),
      AnalyticsRule(results: ResponseTodoViewModel.self, failuresOnly),
      AnalyticsRule(results: ResponsePurgedTodoViewModel.self, failuresOnly),
    ]
  }

  /// Without a title before, the todo is new: no todo is kept without one.
  private static func edit(
    _ result: Result<ResponseUpdateDetailViewModel, Failure>
  ) -> [String: Fact]? {
    guard case .success(let response) = result else { return failuresOnly(result) }
    return [
      "outcome": .word(response.outcome.rawValue),
      "new": .flag(response.detail.todo.title.isEmpty),
    ]
  }

  private static func failuresOnly(_ result: Result<some Response, Failure>) -> [String: Fact]? {
    guard case .failure(let failure) = result else { return nil }
    return ["code": .number(Int(failure.code.rawValue))]
  }
}
