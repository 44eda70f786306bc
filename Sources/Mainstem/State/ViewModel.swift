// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A server whose state is seen by views: it has values that they show, some of which they write, and commands that they
/// run.
///
///     struct Lookup: ViewModel {
///       var username = ""
///       var isUsernameValid: Bool { 3...15 ~= username.count }
///
///       static func handlers(_ on: inout Handlers<Self>) {
///         on.writable("username", \.username)
///         on.shows("isUsernameValid", \.isUsernameValid)
///       }
///     }
///
///     let lookup = try context.open(Lookup())
///     let binding = try window.bind(to: lookup) { rows in
///       rows.show("isUsernameValid") { button.isEnabled = $0 }
///     }
///     try binding.set("username", "jack")
///
/// After each event that it has got, all that it shows is asked, and what differs is sent (law 14). A value is the event
/// type `Lookup.username`.
public protocol ViewModel: Server {}
