// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* libuv: uv_async wakes the loop, a vector under a mutex carries what was sent. */

#include <uv.h>

#include <mutex>
#include <thread>
#include <vector>

#include "crossing.h"

namespace {

struct Way {
  parcel_fn *got;
  void *user_data;
  uv_loop_t loop;
  uv_async_t async;
  std::mutex mutex;
  std::vector<plain_parcel> waiting, taken;
  bool stops = false;
  std::thread thread;
};

void take(uv_async_t *async) {
  Way *self = static_cast<Way *>(async->data);
  bool stopped;
  {
    std::lock_guard<std::mutex> lock(self->mutex);
    self->taken.swap(self->waiting);
    stopped = self->stops;
  }
  for (const plain_parcel &each : self->taken) self->got(self->user_data, &each.parcel);
  self->taken.clear();
  if (stopped) uv_close(reinterpret_cast<uv_handle_t *>(async), nullptr);
}

void *open_way(parcel_fn *got, void *user_data) {
  Way *made = new Way{};
  made->got = got;
  made->user_data = user_data;
  uv_loop_init(&made->loop);
  uv_async_init(&made->loop, &made->async, take);
  made->async.data = made;
  made->thread = std::thread([made] { uv_run(&made->loop, UV_RUN_DEFAULT); });
  return made;
}

void send(void *opened, const parcel *sent) {
  Way *self = static_cast<Way *>(opened);
  bool was_empty;
  {
    std::lock_guard<std::mutex> lock(self->mutex);
    was_empty = self->waiting.empty();
    self->waiting.push_back(plain_parcel{1, 0, 0, *sent});
  }
  if (was_empty) uv_async_send(&self->async);
}

void close_way(void *opened) {
  Way *self = static_cast<Way *>(opened);
  {
    std::lock_guard<std::mutex> lock(self->mutex);
    self->stops = true;
  }
  uv_async_send(&self->async);
  self->thread.join();
  uv_loop_close(&self->loop);
  delete self;
}

} // namespace

const crossing libuv_async = {"libuv", open_way, send, close_way};
