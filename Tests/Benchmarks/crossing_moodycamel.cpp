// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* moodycamel's blocking queue: ordered for each sender only, nothing to poll. */

#include <concurrentqueue/blockingconcurrentqueue.h>

#include <thread>

#include "crossing.h"

namespace {

struct Way {
  parcel_fn *got;
  void *user_data;
  moodycamel::BlockingConcurrentQueue<plain_parcel> queue;
  std::thread thread;

  void run() {
    plain_parcel taken[64];
    while (true) {
      const size_t count = queue.wait_dequeue_bulk(taken, 64);
      for (size_t i = 0; i < count; i++) {
        if (taken[i].type == 0) return;
        got(user_data, &taken[i].parcel);
      }
    }
  }
};

void *open_way(parcel_fn *got, void *user_data) {
  Way *made = new Way;
  made->got = got;
  made->user_data = user_data;
  made->thread = std::thread([made] { made->run(); });
  return made;
}

void send(void *opened, const parcel *sent) {
  static_cast<Way *>(opened)->queue.enqueue(plain_parcel{1, 0, 0, *sent});
}

void close_way(void *opened) {
  Way *self = static_cast<Way *>(opened);
  self->queue.enqueue(plain_parcel{});
  self->thread.join();
  delete self;
}

} // namespace

const crossing moodycamel_blocking = {"moodycamel", open_way, send, close_way};
