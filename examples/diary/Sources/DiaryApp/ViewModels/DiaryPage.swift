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
    on.written("text", \.text)
    on.shows("day") { $0.kept?.day ?? "" }
    on.shows("problem", \.problem)
    on.shows("isEdited", \.isEdited)
    on.shows("canSave", \.canSave)
    on.shows("canDelete", \.canDelete)
    on.shows("isGone", \.isGone)
    on.shows("unsaved", \.unsaved)
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
    on.opened(asks: [RequestFetchEntry.self]) { page, run in
      if page.isNew { return }
      run.ask(RequestFetchEntry(id: page.id)) {
        $0.take($1.entry)
      } failed: {
        $0.problem = $1.text
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
    take(entry)
    saved(entry.id)
  }

  /// What the user has changed stays.
  mutating func take(_ entry: Entry) {
    if !isEdited { text = entry.text }
    (id, kept) = (entry.id, entry)
  }
}
