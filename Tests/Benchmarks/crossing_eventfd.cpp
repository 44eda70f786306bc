// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What one writes by hand: a mutex, a vector that is swapped, and an eventfd for the poll loop. */

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <mutex>
#include <thread>
#include <vector>

#include "crossing.h"

namespace {

struct Way {
  parcel_fn *got;
  void *user_data;
  int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  std::mutex mutex;
  std::vector<plain_parcel> waiting;
  bool stops = false;
  std::thread thread;

  void run() {
    std::vector<plain_parcel> taken;
    for (bool stopped = false; !stopped;) {
      pollfd poller = {descriptor, POLLIN, 0};
      poll(&poller, 1, -1);
      uint64_t count;
      (void)!read(descriptor, &count, sizeof count);
      {
        std::lock_guard<std::mutex> lock(mutex);
        taken.swap(waiting);
        stopped = stops;
      }
      for (const plain_parcel &each : taken) got(user_data, &each.parcel);
      taken.clear();
    }
  }

  void tell() {
    const uint64_t one = 1;
    (void)!write(descriptor, &one, sizeof one);
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
  Way *self = static_cast<Way *>(opened);
  bool was_empty;
  {
    std::lock_guard<std::mutex> lock(self->mutex);
    was_empty = self->waiting.empty();
    self->waiting.push_back(plain_parcel{1, 0, 0, *sent});
  }
  if (was_empty) self->tell();
}

void close_way(void *opened) {
  Way *self = static_cast<Way *>(opened);
  {
    std::lock_guard<std::mutex> lock(self->mutex);
    self->stops = true;
  }
  self->tell();
  self->thread.join();
  close(self->descriptor);
  delete self;
}

} // namespace

const crossing mutex_vector_eventfd = {"vector+eventfd", open_way, send, close_way};
