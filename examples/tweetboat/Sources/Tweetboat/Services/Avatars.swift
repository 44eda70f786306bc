// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// The pictures: each is asked for once, and kept.
struct Avatars: Server {
  let patience: Duration
  private var pictures: [String: String] = [:]

  init(patience: Duration) { self.patience = patience }

  static func handlers(_ on: inout Handlers<Self>) {
    on.effect(.fetch) { on in
      on.answer(RequestFetchAvatar.self) { $0.fetch($1) }
    }
  }

  func fetch(_ request: RequestFetchAvatar) -> Next<Self, ResponseAvatar> {
    if let picture = pictures[request.url] { return .done(ResponseAvatar(picture: picture)) }
    return .ask(RequestHttp(url: request.url), timeout: patience) { avatars, answer in
      let picture = try Site.read(String.self, answer)
      avatars.pictures[request.url] = picture
      return .done(ResponseAvatar(picture: picture))
    }
  }
}
