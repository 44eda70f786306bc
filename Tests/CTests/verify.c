// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Law 11, the journal's part: the inputs of a journal, fed to the same servers, bring the same outputs at the
 * same positions; a server that does something else is found, where it does so first.
 */

#include "session.h"

#include <pthread.h>

static void count_call(void *user_data, const mainstem_event *event) { ++*(int *)user_data; }

/* Verifies; what differs. Who looks on besides changes nothing. */
static mainstem_replay_difference verify(session *self, uint32_t threads, const char *path,
                                         int change, mainstem_replay **replay) {
  static int looks;
  memset(self, 0, sizeof *self);
  self->change = change;
  mainstem_context *context = context_open(threads);
  *replay = replay_open(context, path, MAINSTEM_REPLAY_VERIFY);
  EXPECT_OK(mainstem_observe(context, MAINSTEM_TYPE_ANY, count_call, &looks, NULL, NULL));
  session_install(self, threads, context);
  uint64_t fed;
  mainstem_status status = mainstem_replay_step(*replay, 0, &fed);
  mainstem_replay_difference found = replay_difference(*replay);
  if (found.field != 0 && change == AS_IT_WAS) fprintf(stderr, "  %s\n", found.message);
  EXPECT_STATUS(status, found.field == 0 ? MAINSTEM_OK : MAINSTEM_DIFFERENT);
  return found;
}

/* Catches: an input fed at another position, an output that depends on who looks, on the clock or on chance. */
CASE(a_session_verifies, IN_BOTH) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    const char *path = session_record(threads, seed, 200);
    journal_found was = journal_look(path);
    session self;
    mainstem_replay *replay;
    EXPECT_EQUAL(verify(&self, threads, path, AS_IT_WAS, &replay).field, 0);
    mainstem_replay_info info = replay_info(replay);
    EXPECT_EQUAL(info.flags, MAINSTEM_REPLAY_ENDED | MAINSTEM_REPLAY_WHOLE);
    EXPECT_EQUAL(info.position, was.last);
    EXPECT_EQUAL(info.verified_until, was.last);
    EXPECT_EQUAL(info.fed + info.matched, was.events);
    EXPECT(info.matched > 100);
    EXPECT(info.digest != 0);
    EXPECT(self.handled > 50);
    EXPECT_EQUAL(self.provided, 0);
    EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_EQUAL(stats_of(self.context).requests, 0);
    session_end(&self);
    journal_sweep();
  }
}

/* Catches: a difference that is not seen, or seen elsewhere, or called something else. */
CASE(a_changed_server_is_found, IN_BOTH) {
  static const struct {
    uint32_t field;
    uint64_t position, cause;
  } wanted[CHANGES] = {[OTHER_PAYLOAD] = {MAINSTEM_DIFFERENCE_PAYLOAD, 5, 3},
                       [OTHER_STATUS] = {MAINSTEM_DIFFERENCE_STATUS, 2, 1},
                       [ONE_MORE] = {MAINSTEM_DIFFERENCE_EXTRA, 8, 6},
                       [ONE_LESS] = {MAINSTEM_DIFFERENCE_MISSING, 7, 6},
                       [OTHER_TYPE] = {MAINSTEM_DIFFERENCE_TYPE, 4, 3},
                       [OTHER_ORIGIN] = {MAINSTEM_DIFFERENCE_ORIGIN, 4, 3}};
  const char *path = journal_path("session");
  session self = {0};
  mainstem_context *context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  session_install(&self, threads, context);
  EXPECT_OK(mainstem_request(context, self.ask, "e", 1, NULL, NULL, NULL)); /* 1, 2 */
  EXPECT_OK(mainstem_request(context, self.ask, "n", 1, NULL, NULL, NULL)); /* 3, 4, 5 */
  EXPECT_OK(mainstem_send(context, self.key, "k", 1));                      /* 6, 7 */
  session_end(&self);
  for (int change = OTHER_PAYLOAD; change < CHANGES; change++) {
    mainstem_replay *replay;
    mainstem_replay_difference found = verify(&self, threads, path, change, &replay);
    EXPECT_EQUAL(found.field, wanted[change].field);
    EXPECT_EQUAL(found.position, wanted[change].position);
    EXPECT_EQUAL(found.chain_count, 1);
    EXPECT_EQUAL(found.chain[0], wanted[change].cause);
    EXPECT((found.expected == NULL) == (change == ONE_MORE));
    EXPECT((found.actual == NULL) == (change == ONE_LESS));
    EXPECT_EQUAL(replay_info(replay).verified_until, found.position - 1);
    EXPECT(replay_info(replay).flags & MAINSTEM_REPLAY_DIFFERS);
    if (change == OTHER_PAYLOAD) {
      EXPECT_EQUAL(found.offset, 1);
      EXPECT_TEXT(found.message,
                  "#5 ResponseAnswer: payload differs at byte 1: `nO` (2 bytes), in the "
                  "journal `no` (2 bytes)");
    }
    if (change == ONE_MORE) {
      EXPECT_TEXT(found.message, "#8 Note: happened and is not in the journal: sent through "
                                 "`Server`, caused by #6");
    }
    EXPECT_STATUS(mainstem_replay_step(replay, 1, NULL), MAINSTEM_DIFFERENT);
    session_end(&self); /* The replay ends with it. */
    EXPECT_STATUS(mainstem_replay_step(replay, 1, NULL), MAINSTEM_STALE);
  }
}

/* What the file of reports has, and no longer; empty: there is none. */
static const char *reported(const char *path) {
  static char text[2048];
  FILE *file = fopen(path, "r");
  size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file) fclose(file), remove(path);
  text[size] = 0;
  return text;
}

/* Catches: a report that is missing, comes twice, says something else than the difference, or that has a secret; a
   report that cannot be written, in silence. */
CASE(a_verification_reports_what_it_found, IN_BOTH) {
  const char *path = journal_path("session");
  char report[512];
  session self = {0};
  mainstem_context *context = context_open(threads);
  mainstem_replay *replay;
  mainstem_replay_options options = {.size = sizeof options, .mode = MAINSTEM_REPLAY_VERIFY};
  snprintf(report, sizeof report, "%s.report", path);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  session_install(&self, threads, context);
  EXPECT_OK(mainstem_request(context, self.ask, "n", 1, NULL, NULL, NULL)); /* 1, 2, 3 */
  session_end(&self);
  EXPECT_EQUAL(setenv("MAINSTEM_VERIFY_REPORT", report, 1), 0);
  EXPECT_EQUAL(verify(&self, threads, path, AS_IT_WAS, &replay).field, 0);
  EXPECT_TEXT(reported(report), "");
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_TEXT(reported(report),
              "{\"first\":1,\"last\":3,\"position\":3,\"verified\":3,\"matched\":2,"
              "\"ended\":1}\n");
  session_end(&self);
  EXPECT_TEXT(reported(report), "");
  EXPECT_EQUAL(verify(&self, threads, path, OTHER_PAYLOAD, &replay).field,
               MAINSTEM_DIFFERENCE_PAYLOAD);
  EXPECT_TEXT(reported(report),
              "{\"first\":1,\"last\":3,\"position\":3,\"verified\":2,\"matched\":1,\"ended\":0,"
              "\"field\":10,\"at\":3,\"message\":\"#3 ResponseAnswer: payload differs at byte 1: "
              "`nO` (2 bytes), in the journal `no` (2 bytes)\",\"type\":\"ResponseAnswer\","
              "\"contract\":146028888064,\"origin\":\"Server\",\"cause\":1,\"correlation\":1,"
              "\"answers\":1,\"flags\":0,\"status\":0,\"payload\":\"6e4f\"}\n");
  session_end(&self);
  EXPECT_TEXT(reported(report), "");
  EXPECT_EQUAL(verify(&self, threads, path, ONE_LESS, &replay).field, 0);
  session_end(&self); /* Which ends the replay. */
  EXPECT(strstr(reported(report), "\"ended\":1}\n") != NULL);
  context = context_open(threads);
  replay = replay_open(context, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_OK(mainstem_context_close(context));
  EXPECT_TEXT(reported(report), "");
  EXPECT_EQUAL(setenv("MAINSTEM_VERIFY_REPORT", "/nowhere/at/all", 1), 0);
  context = context_open(threads);
  EXPECT_STATUS(mainstem_replay_open(context, path, &options, &replay), MAINSTEM_IO);
  EXPECT(strstr(mainstem_last_error(), "MAINSTEM_VERIFY_REPORT: /nowhere/at/all") != NULL);
  EXPECT_EQUAL(setenv("MAINSTEM_VERIFY_REPORT", "", 1), 0);
  replay = replay_open(context, path, MAINSTEM_REPLAY_VERIFY);
  EXPECT_OK(mainstem_context_close(context));
  EXPECT_EQUAL(unsetenv("MAINSTEM_VERIFY_REPORT"), 0);
}

typedef struct marker {
  mainstem_event_type key, mark, note;
} marker;

static void on_key(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_send(event->context, ((marker *)user_data)->mark, "m", 1));
}

static void on_mark(void *user_data, const mainstem_event *event) {
  int64_t now = 0;
  EXPECT_OK(mainstem_context_now(event->context, &now));
  EXPECT_EQUAL(now, event->time);
  EXPECT(now != 0);
  EXPECT_OK(mainstem_send(event->context, ((marker *)user_data)->note, &now, sizeof now));
}

static marker marker_install(mainstem_context *context) {
  static marker self;
  self.key = type_open(context, "Key", MAINSTEM_PAYLOAD_TEXT, NULL);
  self.mark = type_open(context, "Mark", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_RECORD_MARK, NULL);
  self.note = type_open(context, "Note", MAINSTEM_PAYLOAD_STRUCT | 8, NULL);
  EXPECT_OK(mainstem_observe(context, self.key, on_key, &self, NULL, NULL));
  EXPECT_OK(mainstem_observe(context, self.mark, on_mark, &self, NULL, NULL));
  return self;
}

/* Catches: a mark without its time, so that who is told of it has another `now`. */
CASE(a_mark_keeps_its_time, IN_BOTH) {
  const char *path = journal_path("marks");
  mainstem_context *context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  marker self = marker_install(context);
  for (int i = 0; i < 20; i++) {
    EXPECT_OK(mainstem_send(context, i % 5 == 4 ? self.mark : self.key, "k", 1));
  }
  EXPECT_OK(mainstem_context_close(context));
  context = context_open(threads);
  mainstem_replay *replay = replay_open(context, path, MAINSTEM_REPLAY_VERIFY);
  marker_install(context);
  mainstem_status status = mainstem_replay_step(replay, 0, NULL);
  if (status != MAINSTEM_OK) fprintf(stderr, "  %s\n", replay_difference(replay).message);
  EXPECT_OK(status);
  EXPECT_EQUAL(replay_info(replay).verified_until, 12); /* Then an input is a mark. */
  EXPECT_EQUAL(replay_info(replay).position, 56);
  EXPECT_OK(mainstem_context_close(context));
}

static void *send_keys(void *argument) {
  session *self = (session *)argument;
  for (int i = 0; i < 3000; i++) {
    EXPECT_OK(mainstem_send(self->context, self->key, "k", 1));
    if (i % 10 == 0) EXPECT_OK(mainstem_send(self->context, self->tick, "t", 1));
    if (i % 50 == 0) {
      EXPECT_OK(mainstem_request(self->context, self->ask, "n", 1, NULL, NULL, NULL));
    }
  }
  return NULL;
}

/* Catches: an input that came in between the outputs of one callback, fed before or behind them. */
CASE(what_other_threads_sent_in_between_has_its_place, IN_ANY) {
  const char *path = journal_path("session");
  session self = {0};
  pthread_t others[2];
  mainstem_replay *replay;
  mainstem_context *context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  session_install(&self, threads, context);
  for (int i = 0; i < 2; i++) EXPECT(pthread_create(&others[i], NULL, send_keys, &self) == 0);
  for (int i = 0; i < 3000; i++) {
    EXPECT_OK(mainstem_request(context, self.ask, "s", 1, NULL, NULL, NULL));
  }
  for (int i = 0; i < 2; i++) EXPECT(pthread_join(others[i], NULL) == 0);
  session_end(&self);
  EXPECT_EQUAL(verify(&self, threads, path, AS_IT_WAS, &replay).field, 0);
  EXPECT_EQUAL(replay_info(replay).verified_until, journal_look(path).last);
  session_end(&self);
}

/* Catches: a torn end called a difference. */
CASE(a_journal_that_ends_in_a_turn_verifies_that_far, IN_BOTH) {
  const char *path = session_record(threads, 7, 100);
  size_t size = journal_size(path);
  session self;
  mainstem_replay *replay;
  while (size > 4096) {
    size -= 1000;
    EXPECT(truncate(path, (off_t)size) == 0);
    EXPECT_EQUAL(verify(&self, threads, path, AS_IT_WAS, &replay).field, 0);
    EXPECT_EQUAL(replay_info(replay).flags, MAINSTEM_REPLAY_ENDED);
    EXPECT_EQUAL(replay_info(replay).verified_until, journal_look(path).last);
    session_end(&self);
  }
}

/* Catches: a program that begins with a request, and has a first error in each replay. */
CASE(what_is_left_out_is_no_error, IN_BOTH) {
  static const uint32_t modes[] = {MAINSTEM_REPLAY_VERIFY, MAINSTEM_REPLAY_MUTED};
  const char *path = session_record(threads, 7, 0);
  for (size_t i = 0; i < COUNT(modes); i++) {
    session self = {0};
    mainstem_context *context = context_open(threads);
    mainstem_replay *replay = replay_open(context, path, modes[i]);
    session_install(&self, threads, context);
    EXPECT_STATUS(mainstem_request(context, self.ask, "n", 1, NULL, NULL, NULL),
                  MAINSTEM_CANCELLED);
    EXPECT(strstr(mainstem_last_error(), "this is left out") != NULL);
    EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
    EXPECT_OK(mainstem_context_first_error(context, NULL));
    EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_STATUS(mainstem_send(context, 4711, NULL, 0), MAINSTEM_INVALID);
    EXPECT_STATUS(mainstem_context_first_error(context, NULL), MAINSTEM_INVALID);
    session_end(&self);
  }
}

/* Catches: a message that leaves open what is different about a type. */
CASE(a_type_that_differs_is_explained, IN_BOTH) {
  static const struct {
    const char *name;
    mainstem_contract contract;
    const char *response, *reason;
  } others[] = {{"Note", MAINSTEM_PAYLOAD_BYTES, NULL, "another payload"},
                {"Note", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_VALUE, NULL, "another role"},
                {"Note", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEW, NULL, "another layer"},
                {"Note", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_RECORD_MARK, NULL, "another way"},
                {"Note", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, NULL, "is a secret"},
                {"RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseOther", "another response"}};
  const char *path = journal_path("types");
  mainstem_context *context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  mainstem_event_type note = type_open(context, "Note", MAINSTEM_PAYLOAD_TEXT, NULL);
  mainstem_event_type ask = type_open(context, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAsk");
  EXPECT_OK(mainstem_send(context, note, "n", 1));
  EXPECT_OK(mainstem_send(context, ask, "a", 1));
  EXPECT_OK(mainstem_context_close(context));
  for (size_t i = 0; i < COUNT(others); i++) {
    mainstem_replay_options options = {.size = sizeof options};
    mainstem_replay *replay;
    context = context_open(threads);
    type_open(context, others[i].name, others[i].contract, others[i].response);
    EXPECT_STATUS(mainstem_replay_open(context, path, &options, &replay), MAINSTEM_INVALID);
    EXPECT(strstr(mainstem_last_error(), others[i].name) != NULL);
    EXPECT(strstr(mainstem_last_error(), others[i].reason) != NULL);
    EXPECT_OK(mainstem_context_close(context));
  }
}

int main(void) { return journal_expect_all(); }
