// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

// The pictures, by their addresses: their bytes are never on the stream. The host adds resources for these types, and a
// provider of RequestFetchPicture.

struct ResponsePicture: Response {}

/// What a view model asks for while a view shows it.
struct RequestPicture: Request, TextEvent {
  typealias Answer = ResponsePicture
  var text: String
}

/// What the site is asked, once for all who wait.
struct RequestFetchPicture: Request, TextEvent {
  typealias Answer = ResponsePicture
  var text: String
}

/// The bytes are no longer kept.
struct PictureDropped: Notice, TextEvent {
  var text: String
}
