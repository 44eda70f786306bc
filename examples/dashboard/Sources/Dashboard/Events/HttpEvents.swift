// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

// What a provider of the host's answers: http_provider.c, or http_provider.py.

struct ResponseHttp: Response { var body: String }
struct RequestHttp: Request {
  typealias Answer = ResponseHttp
  var url: String
  var form: [String: String] = [:]
}
