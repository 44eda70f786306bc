// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

extension Journal {
  /// Opens a journal whose payloads are JSON.
  ///
  /// - Parameter path: The path of the file, or of the numbered files without the number.
  /// - Throws: ``Status/io`` if it does not exist or cannot be read, ``Status/corrupt`` if it is not a journal,
  ///   ``Status/version`` if this library cannot read its format version.
  public convenience init(_ path: String) throws(StreamError) {
    try self.init(path, coder: JSONCoder())
  }
}
