// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Texts in the form C takes, in one piece of memory.
package struct CStrings {
  private var bytes: [CChar] = []
  private var starts: [Int] = []

  package init(_ texts: some Sequence<String>) {
    for text in texts {
      starts.append(bytes.count)
      bytes += text.utf8CString
    }
  }

  /// Passes them to `body`; valid for the call.
  package func withPointers<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      body(starts.map { start in bytes.baseAddress.map { $0 + start } })
    }
  }
}
