// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

extension Journal {
  /// Opens a journal whose events travelled as JSON.
  ///
  /// - Parameter path: Of the file, or of the numbered files without the number.
  /// - Throws: ``Status/io`` where it is not there or cannot be read, ``Status/corrupt`` where it is no journal,
  ///   ``Status/version`` for one that this library cannot read.
  public convenience init(_ path: String) throws(StreamError) {
    try self.init(path, coder: JSONCoder())
  }
}
