// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// One entry, to read and to change; or a new one, to write.
struct DiaryPage: ViewModel {
  /// The id that it was opened with; 0: a new one.
  let opened: Int
  /// That of what is kept now; 0: nothing yet.
  private(set) var id: Int
  /// As it is kept.
  private(set) var kept: Entry?
  var text = ""
  private(set) var isGone = false
  /// Why there is nothing to read.
  private(set) var problem = ""
  /// Whether what is typed is kept before it is saved.
  private var keepsDrafts = false
  private var drafted = Pulses<Draft>()
  private var saved = Pulses<Int>()
  private var deletePressed = Pulses<Int>()
  private var closePressed = Pulses<Bool>()

  init(id: Int) { (opened, self.id) = (id, id) }

  var isNew: Bool { id == 0 }
  var isEdited: Bool { !isGone && text != kept?.text ?? "" }
  var canSave: Bool { isEdited && !isBlank && (isNew || kept != nil) }
  var canDelete: Bool { !isGone && kept != nil }
  /// The id that it was opened with, while something is not saved.
  var unsaved: Int? { isEdited ? opened : nil }
  private var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("id", \.id)
    on.writable("text", \.text) { page, _ in page.draft() }
    on.shows("day") { $0.kept.map { Day($0.day)?.words(on: nil) ?? $0.day } ?? "" }
    on.shows("problem", \.problem)
    on.shows("isEdited", \.isEdited)
    on.shows("canSave", \.canSave)
    on.shows("canDelete", \.canDelete)
    on.shows("isGone", \.isGone)
    on.shows("unsaved", \.unsaved)
    on.pulse("drafted", \.drafted)
    on.pulse("saved", \.saved)
    on.pulse("deletePressed", \.deletePressed)
    on.pulse("closePressed", \.closePressed)
    on.command(
      "save", enabled: \.canSave, asks: [RequestCreateEntry.self, RequestUpdateEntry.self]
    ) { $0.save($1) }
    on.command("askDelete", enabled: \.canDelete) { $0.deletePressed($0.id) }
    on.command("close") { $0.closePressed(true) }
    on.event(EntryUpdated.self) { page, updated in
      if updated.entry.id == page.id { page.take(updated.entry) }
      return []
    }
    on.event(EntryDeleted.self) { page, deleted in
      if deleted.id == page.id { page.isGone = true }
      return []
    }
    on.event(
      DiaryKeepsDrafts.self,
      asking: { page, isSo in
        page.keepsDrafts = isSo.value
        return isSo.value ? RequestFetchDraft(id: page.id) : nil
      },
      then: { page, _, draft in
        page.take(draft)
        return []
      }, failed: { _, _, _ in [] })
    on.opened(asks: [RequestFetchEntry.self]) { page, run in
      if page.isNew { return }
      run.ask(RequestFetchEntry(id: page.id)) {
        $0.take($1.entry)
      } failed: {
        $0.problem = $1.userMessage
      }
    }
  }

  /// What is written now is saved, whatever is typed meanwhile.
  private func save(_ run: Run<Self>) {
    if isNew {
      run.ask(RequestCreateEntry(text: text)) { $0.wasSaved($1.entry) }
    } else {
      run.ask(RequestUpdateEntry(id: id, text: text)) { $0.wasSaved($1.entry) }
    }
  }

  private mutating func wasSaved(_ entry: Entry) {
    let before = id
    take(entry)
    saved(entry.id)
    // What was typed meanwhile is a draft of the entry now.
    guard keepsDrafts, isEdited else { return }
    if before != id { drafted(Draft(id: before, text: nil)) }
    draft()
  }

  /// What is typed is kept, so that it is there after whatever ends the program.
  private mutating func draft() {
    if keepsDrafts { drafted(Draft(id: id, text: isEdited ? text : nil)) }
  }

  /// Goes on where the user had to stop; what is typed already stays.
  private mutating func take(_ draft: ResponseDraft) {
    guard !isEdited, let text = draft.text else { return }
    self.text = text
    self.draft()
  }

  /// What the user has changed stays.
  mutating func take(_ entry: Entry) {
    if !isEdited { text = entry.text }
    (id, kept) = (entry.id, entry)
  }
}
