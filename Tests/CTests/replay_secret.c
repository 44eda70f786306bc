// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Secrets in a replay: who knows them supplies them, and the program is proven with them; else they come withheld.
 */

#include "journal.h"
#include "secret.h"
#include "session.h"

enum { SIGN_INS = 2 };

/* A server that signs in: what it says in the open depends on the password and on an answer from outside. */
typedef struct door {
  mainstem_context *context, *server;
  mainstem_event_type sign_in, session, check, checked, key, note;
  mainstem_retained *waiting[SIGN_INS], *outside[SIGN_INS];
  int waits, outsides, released, asked, withheld;
  mainstem_replay *replay;
  int is_wrong;
} door;

static void say(door *self, const char *what, const mainstem_event *event) {
  char text[80];
  unsigned sum = 0;
  for (uint32_t i = 0; i < event->size; i++)
    sum = sum * 31 + ((const unsigned char *)event->data)[i];
  snprintf(text, sizeof text, "%s %d %u", what, (int)event->status, sum);
  EXPECT_OK(mainstem_send(self->server, self->note, text, strlen(text)));
}

static void on_checked(void *user_data, const mainstem_event *event) {
  door *self = (door *)user_data;
  int which = event->answers == 3 ? 0 : 1;
  if (event->status == MAINSTEM_CANCELLED) return; /* The context closes. */
  say(self, "checked", event);
  const mainstem_event *request = kept_event(self->waiting[which]);
  EXPECT_OK(mainstem_respond(request, "in", 2));
}

static void on_sign_in(void *user_data, const mainstem_event *event) {
  door *self = (door *)user_data;
  if (event->status == MAINSTEM_WITHHELD) {
    self->withheld++;
    return;
  }
  EXPECT(self->waits < SIGN_INS);
  EXPECT_OK(mainstem_event_retain(event, &self->waiting[self->waits++]));
  say(self, "sign in", event);
  EXPECT_OK(mainstem_request(self->server, self->check, event->data, event->size, on_checked, self,
                             NULL));
}

static void on_check(void *user_data, const mainstem_event *event) {
  door *self = (door *)user_data;
  int replaying;
  EXPECT_OK(mainstem_context_is_replaying(event->context, &replaying));
  if (replaying) return;
  EXPECT_OK(mainstem_event_retain(event, &self->outside[self->outsides++]));
}

static void on_key(void *user_data, const mainstem_event *event) {
  say((door *)user_data, "key", event);
}

static void door_install(door *self, mainstem_context *context) {
  static const mainstem_handler_row rows[] = {{"RequestSignIn", on_sign_in, 0},
                                              {"RequestCheck", on_check, 0}};
  const mainstem_contract secret = MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET;
  self->context = context;
  self->sign_in = type_open(context, "RequestSignIn", secret, "ResponseSession");
  self->session = type_open(context, "ResponseSession", secret, NULL);
  self->check = type_open(context, "RequestCheck", secret, "ResponseChecked");
  self->checked = type_open(context, "ResponseChecked", secret, NULL);
  self->key = type_open(context, "Key", MAINSTEM_PAYLOAD_STRUCT | MAINSTEM_SECRET | 4, NULL);
  self->note = type_open(context, "Note", MAINSTEM_PAYLOAD_TEXT, NULL);
  EXPECT_OK(
      mainstem_server_add(context, "Door", rows, sizeof rows[0], 2, self, NULL, &self->server));
  EXPECT_OK(mainstem_observe(self->server, self->key, on_key, self, NULL, NULL));
}

static void door_close(door *self) { EXPECT_OK(mainstem_context_close(self->context)); }

static void sign_in(door *self) {
  char password[PASSWORD_SIZE];
  password_write(password);
  EXPECT_OK(
      mainstem_request(self->context, self->sign_in, password, sizeof password, NULL, NULL, NULL));
  password_forget(password, sizeof password);
}

/* 1 sign in, 2 note, 3 check; 4, 5, 6 the same; 7 the answer to 6: no, 8 note, 9 session; 10 that to 3: yes, 11,
 * 12; 13 a key, 14 note. */
static const char *door_record(uint32_t threads) {
  const char *path = journal_path("door");
  door self = {0};
  mainstem_context *context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  door_install(&self, context);
  for (int i = 0; i < SIGN_INS; i++) sign_in(&self);
  const mainstem_event *check = kept_event(self.outside[1]);
  EXPECT_OK(mainstem_respond_error(check, 1005, "no such user"));
  check = kept_event(self.outside[0]);
  EXPECT_OK(mainstem_respond(check, "yes", 3));
  EXPECT_OK(mainstem_send(context, self.key, "1234", 4));
  door_close(&self);
  EXPECT_EQUAL(journal_look(path).last, 14);
  return path;
}

static void released(void *user_data) { ((door *)user_data)->released++; }

/* Who knows. What is wrong is refused, and nothing is lost by trying. */
static void resolve(void *user_data, const mainstem_event *event) {
  door *self = (door *)user_data;
  const mainstem_error no = {.size = sizeof no, .code = 1005, .message = "no such user"};
  mainstem_secret secret = {.size = sizeof secret};
  mainstem_type_info type = {.size = sizeof type};
  char password[PASSWORD_SIZE];
  self->asked++;
  EXPECT_EQUAL(event->status, MAINSTEM_WITHHELD);
  EXPECT(event->flags & MAINSTEM_EVENT_WITHHELD);
  EXPECT(event->flags & MAINSTEM_EVENT_SECRET);
  EXPECT_OK(mainstem_type_read(event->context, event->type, &type));
  EXPECT_STATUS(mainstem_replay_step(self->replay, 1, NULL), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_replay_on_secret(self->replay, NULL, NULL, NULL), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_drain(event->context, 0, NULL), MAINSTEM_BUSY);
  EXPECT_OK(mainstem_send(event->context, self->note, "left out", 8));
  EXPECT_STATUS(supply(self->replay, "\xff", 1), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_replay_supply(self->replay, NULL), MAINSTEM_INVALID);
  secret.answers = event->position;
  EXPECT_STATUS(mainstem_replay_supply(self->replay, &secret), MAINSTEM_INVALID);
  secret.answers = 0;
  if (strcmp(type.name, "RequestSignIn") == 0) {
    secret.answers = 1;
    EXPECT_STATUS(mainstem_replay_supply(self->replay, &secret), MAINSTEM_INVALID);
    secret.answers = 0;
    secret.error = &no;
    EXPECT_STATUS(mainstem_replay_supply(self->replay, &secret), MAINSTEM_INVALID);
    EXPECT_OK(supply(self->replay, "another", 7));
    password_write(password);
    if (self->is_wrong) password[0] ^= 1;
    EXPECT_OK(supply(self->replay, password, sizeof password));
    password_forget(password, sizeof password);
  } else if (strcmp(type.name, "Key") == 0) {
    EXPECT_OK(supply(self->replay, "1234", 4));
  } else if (event->position == 7) {
    secret.answers = 6;
    secret.error = &no;
    EXPECT_OK(mainstem_replay_supply(self->replay, &secret));
  } else {
    EXPECT_OK(supply(self->replay, "yes", 3));
  }
}

static void write_line(void *user_data, const char *line) {
  char *text = (char *)user_data;
  EXPECT(strlen(text) + strlen(line) + 2 < 4000);
  strcat(strcat(text, line), "\n");
}

static void door_open(door *self, uint32_t threads, const char *path, uint32_t mode) {
  memset(self, 0, sizeof *self);
  mainstem_context *context = context_open(threads);
  self->replay = replay_open(context, path, mode);
  door_install(self, context);
}

/* Catches: a secret that is not asked for, or comes otherwise; an answer that settles nothing, or another's. */
CASE(a_program_is_proven_with_them, IN_BOTH) {
  const char *path = door_record(threads);
  static char text[4000];
  door self;
  door_open(&self, threads, path, MAINSTEM_REPLAY_VERIFY);
  text[0] = 0;
  EXPECT_OK(mainstem_trace(self.context, write_line, text));
  EXPECT_OK(mainstem_replay_on_secret(self.replay, resolve, &self, released));
  mainstem_status status = mainstem_replay_step(self.replay, 0, NULL);
  if (status != MAINSTEM_OK) fprintf(stderr, "  %s\n", replay_difference(self.replay).message);
  EXPECT_OK(status);
  mainstem_replay_info info = replay_info(self.replay);
  EXPECT_EQUAL(info.flags, MAINSTEM_REPLAY_ENDED | MAINSTEM_REPLAY_WHOLE);
  EXPECT_EQUAL(info.verified_until, 14);
  EXPECT_EQUAL(info.supplied, 5);
  EXPECT_EQUAL(info.matched, 9);
  EXPECT_EQUAL(info.left_out, 5);
  EXPECT(info.digest != 0);
  EXPECT_EQUAL(self.asked, 5); /* Not for what callbacks send. */
  EXPECT_EQUAL(self.withheld, 0);
  EXPECT_EQUAL(password_find(text, strlen(text)), -1);
  EXPECT(strstr(text, "#7 ResponseChecked 1005 answers #6 Door <secret>\n") != NULL);
  EXPECT(strstr(text, "no such user") == NULL);
  EXPECT_STATUS(supply(self.replay, "late", 4), MAINSTEM_INVALID);
  EXPECT_EQUAL(self.released, 0);
  EXPECT_OK(mainstem_replay_close(self.replay));
  EXPECT_EQUAL(self.released, 1);
  EXPECT_EQUAL(stats_of(self.context).requests, 0);
  EXPECT_STATUS(mainstem_replay_on_secret(self.replay, resolve, &self, released), MAINSTEM_STALE);
  EXPECT_STATUS(supply(self.replay, "late", 4), MAINSTEM_STALE);
  door_close(&self);
  EXPECT_EQUAL(self.released, 1);
}

static void know_nothing(void *user_data, const mainstem_event *event) {
  door *self = (door *)user_data;
  self->asked++;
}

/* Who knows otherwise, or nothing: what differs at #2, behind how many that were asked for and came withheld. */
static const struct {
  const char *what;
  mainstem_event_fn resolve;
  uint32_t field;
  int asked, withheld;
  uint64_t verified_until, supplied;
} answers[] = {
    {"another secret is found by what comes of it", resolve, MAINSTEM_DIFFERENCE_PAYLOAD, 1, 0, 1,
     1},
    {"who does not know gets it withheld, and no note", know_nothing, MAINSTEM_DIFFERENCE_MISSING,
     1, 1, 0, 0},
};

/* No message says on which secret it depends. */
CASE(a_program_without_them_differs, IN_BOTH) {
  for (size_t i = 0; i < COUNT(answers); i++) {
    const char *path = door_record(threads);
    door self;
    expect_sentence = answers[i].what;
    door_open(&self, threads, path, MAINSTEM_REPLAY_VERIFY);
    self.is_wrong = 1;
    EXPECT_OK(mainstem_replay_on_secret(self.replay, answers[i].resolve, &self, released));
    EXPECT_STATUS(mainstem_replay_step(self.replay, 0, NULL), MAINSTEM_DIFFERENT);
    mainstem_replay_difference found = replay_difference(self.replay);
    EXPECT_EQUAL(found.field, answers[i].field);
    EXPECT_EQUAL(found.position, 2);
    EXPECT_EQUAL(self.asked, answers[i].asked);
    EXPECT_EQUAL(self.withheld, answers[i].withheld);
    EXPECT_EQUAL(replay_info(self.replay).verified_until, answers[i].verified_until);
    EXPECT_EQUAL(replay_info(self.replay).supplied, answers[i].supplied);
    EXPECT_EQUAL(password_find(found.message, strlen(found.message)), -1);
    EXPECT_EQUAL(password_find(mainstem_last_error(), strlen(mainstem_last_error())), -1);
    /* One hook is taken back, the other ends with its replay. */
    if (i > 0) EXPECT_OK(mainstem_replay_on_secret(self.replay, NULL, NULL, NULL));
    EXPECT_EQUAL(self.released, i > 0);
    door_close(&self); /* The replay ends with it. */
    EXPECT_EQUAL(self.released, 1);
    journal_sweep();
  }
}

typedef struct seen {
  int secrets, passwords, withheld;
} seen;

static void see(void *user_data, const mainstem_event *event) {
  seen *self = (seen *)user_data;
  if (!(event->flags & MAINSTEM_EVENT_SECRET)) return;
  self->secrets++;
  self->withheld += event->status == MAINSTEM_WITHHELD;
  self->passwords += password_find((const char *)event->data, event->size) == 0;
}

static void supply_password(void *user_data, const mainstem_event *event) {
  door *self = (door *)user_data;
  char password[PASSWORD_SIZE];
  self->asked++;
  if (event->type != self->sign_in && event->type != self->check) return;
  password_write(password);
  EXPECT_OK(supply(self->replay, password, sizeof password));
  password_forget(password, sizeof password);
}

/* Muted, all of them are asked for: what callbacks sent, too. */
CASE(muted_too, IN_BOTH) {
  const char *path = door_record(threads);
  door self;
  seen saw = {0, 0, 0};
  door_open(&self, threads, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_OK(mainstem_observe(self.context, MAINSTEM_TYPE_ANY, see, &saw, NULL, NULL));
  EXPECT_OK(mainstem_replay_on_secret(self.replay, resolve, &self, released));
  EXPECT_OK(mainstem_replay_on_secret(self.replay, supply_password, &self, released));
  EXPECT_EQUAL(self.released, 1);
  EXPECT_OK(mainstem_replay_run(self.replay, 0));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_EQUAL(self.asked, 9);
  EXPECT_EQUAL(saw.secrets, 9);
  EXPECT_EQUAL(saw.passwords, 4);
  EXPECT_EQUAL(saw.withheld, 5);
  EXPECT_EQUAL(replay_info(self.replay).supplied, 4);
  door_close(&self);
  EXPECT_EQUAL(self.released, 2);
}

int main(void) { return journal_expect_all(); }
