// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// Where the app goes. Screens say what has happened, and this decides.
struct DiaryFlow: Coordinator {
  /// The pages on which something is not saved: the ids in their URLs, by the number of the component.
  private var unsaved: [UInt64: Int] = [:]
  /// The ids of their drafts.
  private var drafts: [UInt64: Int] = [:]
  private var isSignedIn = false

  static func routes(_ on: inout Routes<Self>) {
    on.screen("diary") { _, _ in DiaryList() }
    on.screen("diary/<int:id>") { _, route in DiaryPage(id: try route.int("id")) }
    on.embed("idea", in: "below") { _, _ in Idea() }
    on.group("compose", of: ["diary/0", "idea"])
    on.overlay(.drawer) { _, _ in Drawer() }
    on.dialog(.confirm) { _, route in Confirm(text: route.query("text") ?? "") }
    on.flow("signin") { _, _ in SignInFlow() }
    on.guarded("diary", "diary/<path:_>", "compose") { _, _ in
      .ask(RequestUser()) { _, user in
        .done(user.account.isSignedIn ? .allow : .openFirst("signin"))
      } failed: { _, _ in
        .done(.allow)  // The list says why it is empty.
      }
    }
    on.guardedLeaving("diary/<int:id>") { flow, route in try flow.leave(route.int("id")) }
  }

  static func intents(_ on: inout Intents<Self>) {
    on.intent("picked", of: DiaryList.self) { (_, id: Int) in .open("diary/\(id)") }
    on.intent("writePressed", of: DiaryList.self) { (_, _: Bool) in .open("compose") }
    on.intent("menuPressed", of: DiaryList.self) { (_, _: Bool) in
      .open(.drawer) { _, _ in signOut }
    }
    on.intent("deletePressed", of: DiaryPage.self) { (_, id: Int) in delete(id) }
    on.intent("closePressed", of: DiaryPage.self) { (_, _: Bool) in .close() }
    on.intent("isGone", of: DiaryPage.self, whenHidden: .allowed) { (_, isGone: Bool) in
      isGone ? .close() : .none
    }
    on.intent("unsaved", of: DiaryPage.self, whenHidden: .allowed) { (flow, id: Int?, page) in
      flow.unsaved[page] = id
      return .none
    }
    on.intent("drafted", of: DiaryPage.self, whenHidden: .allowed) { (flow, draft: Draft, page) in
      flow.drafts[page] = draft.text == nil ? nil : draft.id
      return .none
    }
  }

  static func handlers(_ on: inout Handlers<Self>) {
    on.event(EndReport.self) { flow, ended in
      (flow.unsaved[ended.number], flow.drafts[ended.number]) = (nil, nil)
      return []
    }
    on.event(UserIsSignedIn.self) { flow, isSignedIn, delivery in
      if flow.isSignedIn, !isSignedIn.value { try flow.restart(delivery) }
      flow.isSignedIn = isSignedIn.value
      return []
    }
  }

  /// The user has signed out, or the session has ended: the sign-in is next. What is not saved is kept as a draft, so
  /// nobody is asked.
  private mutating func restart(_ delivery: borrowing Delivery) throws {
    unsaved = [:]
    let navigator = delivery.context.navigator
    // Beside other apps, their screens stay: its host opens it again.
    if Prefix.chosen.isEmpty { try navigator.replaceRoot("app") } else { try navigator.finish() }
  }

  private static var signOut: Moves<Self> {
    confirmed("Sign out?") {
      .ask(RequestPerformSignOut()) { _, _ in
        .none
      } failed: {
        alert($1)
      }
    }
  }

  private static func delete(_ id: Int) -> Moves<Self> {
    confirmed("Delete this entry?") {
      .ask(RequestDeleteEntry(id: id)) { _, _ in
        .none
      } failed: {
        alert($1)
      }
    }
  }

  /// Goes somewhere if the user says yes.
  private static func confirmed(
    _ text: String, _ moves: @escaping () -> Moves<Self>
  ) -> Moves<Self> {
    .open(.confirm, ["text": text]) { _, answer in answer.isYes ? moves() : .none }
  }

  private static func alert(_ failure: Failure) -> Moves<Self> {
    .send(AlertRaised(text: failure.userMessage))
  }

  private func leave(_ id: Int) -> Next<Self, Verdict> {
    guard unsaved.values.contains(id) else { return .done(.allow) }
    return .open(.confirm, ["text": "Leave without saving?"]) { flow, answer in
      answer.isYes ? flow.discard(id) : .done(.refuse("It is not saved."))
    }
  }

  /// Forgets what was typed on a page, if it was kept.
  private func discard(_ id: Int) -> Next<Self, Verdict> {
    let pages = unsaved.keys.sorted().filter { unsaved[$0] == id }
    guard let draft = pages.compactMap({ drafts[$0] }).last else { return .done(.allow) }
    return .ask(RequestDiscardDraft(id: draft)) { _, _ in
      .done(.allow)
    } failed: { _, _ in
      .done(.allow)  // It is there the next time.
    }
  }
}
