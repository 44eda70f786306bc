// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import CTodostream

@implementation @_cdecl("todostream_options_init")
public func todostream_options_init(
  _ options: UnsafeMutablePointer<todostream_options>?, _ size: Int
) -> mainstem_status {
  guard let options else { return mainstem_status(MAINSTEM_INVALID) }
  guard size == MemoryLayout<todostream_options>.size else {
    return mainstem_status(MAINSTEM_UNSUPPORTED)
  }
  options.pointee = todostream_options(
    size: UInt32(size), patience_ms: 0, path: nil, now: nil, user_data: nil)
  return mainstem_status(MAINSTEM_OK)
}
