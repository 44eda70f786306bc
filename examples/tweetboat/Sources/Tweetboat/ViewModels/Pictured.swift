// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// A view model with pictures, which are asked for while a view shows it.
///
/// A view runs `appear` when it begins to show it, and again to retry, and `disappear` when it shows something else: then
/// what has not come is cancelled.
protocol Pictured: ViewModel {
  /// The addresses of its pictures.
  var wanted: [String] { get }
  var pictures: Pictures { get set }
}

/// Which pictures have come.
struct Pictures: Sendable {
  /// How long to wait for each.
  let patience: Duration
  private(set) var here: Set<String> = []
  /// Why one has not come.
  private(set) var problem = ""

  init(patience: Duration) { self.patience = patience }

  /// The address, if the picture is there: the key of its bytes.
  func key(_ url: String?) -> String { url.map { here.contains($0) ? $0 : "" } ?? "" }

  mutating func came(_ url: String) { here.insert(url) }

  mutating func failed(_ failure: Failure) {
    if failure.code != .cancelled { problem = Site.sorry(failure).userMessage }
  }

  /// Forgets what has come: its bytes may be dropped.
  mutating func forget() { (here, problem) = ([], "") }

  mutating func retry() { problem = "" }
}

extension Pictured {
  /// Asks for the pictures that are not there.
  mutating func ask(_ run: Run<Self>) {
    pictures.retry()
    for url in wanted where pictures.key(url).isEmpty {
      run.ask(RequestPicture(text: url), timeout: pictures.patience) { model, _ in
        model.pictures.came(url)
      } failed: { model, failure in
        model.pictures.failed(failure)
      }
    }
  }
}

extension Handlers where S: Pictured {
  /// Adds what views tell about pictures, and what is wrong with them.
  mutating func pictures() {
    shows("pictureProblem") { $0.pictures.problem }
    command("appear", cancelledBy: "disappear", asks: [RequestPicture.self]) { $0.ask($1) }
    command("disappear") { $0.pictures.forget() }
  }
}
