// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.4 for what servers show: while a session is recorded, the disk is full from each call on it on, and then has
 * room again. What was refused is shown later, and the session verifies.
 *
 * This program defines the calls on files, so it must not be built with a sanitizer.
 */

#include "failing_files.h"
#include "journal.h"
#include "session.h"

typedef struct shower {
  mainstem_context *context, *server;
  mainstem_event_type key, shown, other, told;
  mainstem_retained *kept;
  int64_t count;
  int refused, shows;
} shower;

static shower self;

/* Shows two values and says what was refused, as a program does that keeps no account of what is there. */
static mainstem_status show(void *user_data, mainstem_context *server,
                            const mainstem_event_type *types) {
  (void)user_data, (void)types;
  mainstem_status first = mainstem_value_set_integer(server, self.shown, self.count);
  mainstem_status second = mainstem_value_set_integer(server, self.other, -self.count);
  self.shows++;
  self.refused += (first != MAINSTEM_OK) + (second != MAINSTEM_OK);
  return first != MAINSTEM_OK ? first : second;
}

static void on_key(void *user_data, const mainstem_event *event) {
  self.count++;
  char text[100];
  snprintf(text, sizeof text, "%d refused, %d shows", self.refused, self.shows);
  (void)mainstem_send(event->context, self.told, text, strlen(text));
}

static mainstem_status add_shower(mainstem_context *below) {
  mainstem_handler_row row = {"Key", on_key, 0};
  return mainstem_server_add_with(below, "Shower", &row, sizeof row, 1,
                                  OPTIONS(server, .show = show), NULL, NULL, &self.server);
}

static mainstem_status make(void *user_data, mainstem_context *scope, const mainstem_event *event) {
  (void)user_data, (void)event;
  return add_shower(scope);
}

static void install(uint32_t threads) {
  memset(&self, 0, sizeof self);
  self.context = CONTEXT_WITH(.threads = threads, .seed = 7);
}

static void install_program(void) {
  mainstem_contract value = MAINSTEM_ROLE_VALUE | MAINSTEM_PAYLOAD_INTEGER;
  self.key = type_open(self.context, "Key", MAINSTEM_PAYLOAD_TEXT, NULL);
  self.told = type_open(self.context, "Told", MAINSTEM_PAYLOAD_TEXT, NULL);
  self.shown = type_open(self.context, "Shower.shown", value, NULL);
  self.other = type_open(self.context, "Shower.other", value, NULL);
  EXPECT_OK(mainstem_factory_add(self.context, "Shower", MAINSTEM_PAYLOAD_NONE, make, NULL, NULL));
  EXPECT_OK(add_shower(self.context));
}

static void verify(uint32_t threads, const char *path) {
  install(threads);
  mainstem_replay *replay = replay_open(self.context, path, MAINSTEM_REPLAY_VERIFY);
  install_program();
  mainstem_status status = mainstem_replay_step(replay, 0, NULL);
  if (status == MAINSTEM_DIFFERENT) fprintf(stderr, "  %s\n", replay_difference(replay).message);
  EXPECT_OK(status);
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_context_close(self.context));
}

static void open_owner(void) {
  (void)mainstem_instance_open(self.context, "Shower", NULL, 0, NULL, NULL, NULL);
}
static void send_key(void) { (void)mainstem_send(self.context, self.key, "k", 1); }
static void only_drain(void) { (void)mainstem_drain(self.context, 0, NULL); }

/* A session on a disk that has so much room at first; how often a show was refused anything. */
static int record(uint32_t threads, const char *path, uint32_t level, off_t room,
                  void (*act)(void)) {
  mainstem_journal_options options = journal_options(level);
  install(threads);
  failing.room = room;
  mainstem_status status = mainstem_journal_record(self.context, path, &options);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_NO_SPACE);
  install_program();
  act();
  act();
  failing.room = 0;
  const int refused = self.refused;
  for (int k = 0; k < 3; k++) send_key();
  open_owner();
  send_key();
  EXPECT_OK(mainstem_context_close(self.context));
  return status == MAINSTEM_OK ? refused : -1;
}

/* Catches: a show that is refused, of which a replay does not know. */
CASE(what_is_shown_may_find_no_room, IN_BOTH) {
  static const uint32_t levels[] = {MAINSTEM_JOURNAL_PROCESS, MAINSTEM_JOURNAL_BUFFERED};
  static void (*const acts[])(void) = {only_drain, send_key, open_owner};
  int all = 0;
  for (size_t i = 0; i < COUNT(levels) * COUNT(acts); i++) {
    const off_t base = 65536 + (i % 2) * 65536;
    for (off_t more = 0; more < 2000; more += 40) {
      const char *path = journal_path("shows");
      int refused = record(threads, path, levels[i % 2], base + more, acts[i / 2]);
      if (refused >= 0) verify(threads, path);
      if (refused > 0) all += refused;
      journal_sweep();
    }
  }
  EXPECT(all > 100);
}

int main(void) { return journal_expect_all(); }
