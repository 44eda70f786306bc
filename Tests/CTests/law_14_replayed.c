// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 14: servers that show, recorded and replayed. */

#include "journal.h"
#include "showing.h"

/* A program with two servers, one of which asks the other, recorded and verified. */
static int added;

static void install(counter *servers) {
  memset(servers, 0, 2 * sizeof *servers);
  servers[0].name = "a", servers[1].name = "k";
  type_open(on.context, "RequestKeep", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  open_showing(&servers[0], ask_keeper, "RequestAsk");
  open_showing(&servers[1], answer, "RequestKeep");
  EXPECT_OK(mainstem_observe(servers[0].server, on.notice, count_event, &servers[0], NULL, NULL));
  added++;
}

static void play(void) {
  for (int i = 0; i < 20; i++) {
    EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, NULL, NULL, NULL));
    EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  }
}

/* Catches: a first show that is recorded as output, held answers whose place a replay does not find. */
CASE(what_is_shown_verifies, IN_BOTH) {
  const char *path = journal_path("shows");
  static counter servers[2];
  mainstem_replay_info info = {.size = sizeof info};
  mainstem_replay *replay;
  uint64_t fed, events;
  for (int isOther = 0; isOther < 2; isOther++) {
    open_all(context_open(threads));
    install(servers);
    EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
    play();
    events = stats_of(on.context).events;
    int shows = servers[0].shows + servers[1].shows;
    close_all();
    open_all(context_open(threads));
    install(servers);
    replay = replay_open(on.context, path, MAINSTEM_REPLAY_VERIFY);
    if (isOther) servers[0].name = "o";
    EXPECT_STATUS(mainstem_replay_step(replay, UINT64_MAX, &fed),
                  isOther ? MAINSTEM_DIFFERENT : MAINSTEM_OK);
    if (!isOther) {
      EXPECT_EQUAL(stats_of(on.context).events, events);
      EXPECT_EQUAL(servers[0].shows + servers[1].shows, shows);
      EXPECT_OK(mainstem_replay_info_read(replay, &info));
    }
    EXPECT_OK(mainstem_replay_close(replay));
    close_all();
    journal_sweep();
  }
}

/* Catches: a replay of every event in which servers show. */
CASE(a_muted_replay_calls_no_show, IN_BOTH) {
  const char *path = journal_path("muted");
  static counter servers[2];
  mainstem_replay_options options = {.size = sizeof options};
  mainstem_replay *replay;
  uint64_t fed;
  open_all(context_open(threads));
  install(servers);
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  play();
  close_all();
  open_all(context_open(threads));
  install(servers);
  EXPECT_OK(mainstem_replay_open(on.context, path, &options, &replay));
  EXPECT_OK(mainstem_replay_step(replay, UINT64_MAX, &fed));
  EXPECT_EQUAL(servers[0].shows + servers[1].shows, 0);
  EXPECT_OK(mainstem_replay_close(replay));
  close_all();
}

int main(void) { return journal_expect_all(); }
