// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct RequestGreet: Request {  // says: type 'RequestGreet' does not conform to protocol 'Request'
  var name: String
}
