// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 15: a view is told once per drain what has changed. What needs several threads, or a journal; the rest is in
   Tests/scenarios/law_15.txt. */

#include "elsewhere.h"
#include "journal.h"
#include "scheduled.h"

enum { VALUES = 40, ROUNDS = 200, WRITERS = 4 };

typedef struct panel {
  mainstem_context *context, *owner, *view;
  mainstem_event_type type[VALUES];
  char name[VALUES][8];
  mainstem_binding *binding;
  unsigned told[VALUES], sets, most;
  int64_t shown[VALUES];
  int done;
} panel;

static void keep(void *user_data, const mainstem_event *event) {
  panel *self = (panel *)user_data;
  __atomic_store_n(&self->shown[event->type - self->type[0]], mainstem_event_integer(event),
                   __ATOMIC_RELAXED);
}

/* A name comes once in a set, and only if its value has changed since. */
static void tell(void *user_data, const char *const *names, size_t count) {
  panel *self = (panel *)user_data;
  char seen[VALUES] = {0};
  self->sets++;
  if (count > self->most) self->most = (unsigned)count;
  for (size_t i = 0; i < count; i++) {
    int which = atoi(names[i] + 1);
    EXPECT_EQUAL(names[i][0], 'v');
    EXPECT(!seen[which]);
    seen[which] = 1;
    self->told[which]++;
  }
}

static void panel_open(panel *self, uint32_t threads) {
  mainstem_binding_row rows[VALUES];
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  self->owner = scope_open(self->context, "Panel");
  self->view = scope_open(self->context, "View");
  for (int i = 0; i < VALUES; i++) {
    char whole[20];
    snprintf(self->name[i], sizeof self->name[i], "v%d", i);
    snprintf(whole, sizeof whole, "Panel.v%d", i);
    self->type[i] =
        type_open(self->context, whole, MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_ROLE_VALUE, NULL);
    rows[i] = (mainstem_binding_row){self->name[i], keep, 0};
  }
  EXPECT_OK(mainstem_binding_add(self->view, self->owner, rows, sizeof rows[0], VALUES, self, NULL,
                                 &self->binding));
  EXPECT_OK(mainstem_binding_on_changes(self->binding, tell, self));
}

static void set_all(panel *self, int64_t value) {
  for (int i = 0; i < VALUES; i++)
    EXPECT_OK(mainstem_value_set_integer(self->owner, self->type[i], value));
}

/* Catches: a set for each change, a name that comes twice, one that is left out. */
CASE(however_many_and_however_often, IN_BOTH) {
  panel self;
  panel_open(&self, threads);
  for (int64_t round = 1; round <= ROUNDS; round++) {
    for (int64_t again = 0; again < 3; again++) set_all(&self, round * 10 + again);
    EXPECT_EQUAL(drained(self.context, 0), 1);
  }
  EXPECT_EQUAL(self.sets, ROUNDS);
  EXPECT_EQUAL(self.most, VALUES);
  for (int i = 0; i < VALUES; i++) EXPECT_EQUAL(self.told[i], ROUNDS);
  EXPECT_OK(mainstem_context_close(self.context));
}

static void *write_beside(void *data) {
  panel *self = (panel *)data;
  for (int64_t i = 1; i <= ROUNDS; i++) {
    int which = (int)(i % VALUES);
    EXPECT_OK(mainstem_binding_set(self->binding, self->name[which], &i, sizeof i));
  }
  __atomic_add_fetch(&self->done, 1, __ATOMIC_RELEASE);
  return NULL;
}

/* Catches: a change that is lost between two sets, where several threads write while another drains. */
CASE(no_change_is_lost_between_two_drains, IN_ANY) {
  panel self;
  pthread_t writers[WRITERS];
  panel_open(&self, threads);
  for (int i = 0; i < WRITERS; i++) writers[i] = beside(write_beside, &self);
  while (__atomic_load_n(&self.done, __ATOMIC_ACQUIRE) < WRITERS) drained(self.context, 0);
  for (int i = 0; i < WRITERS; i++) join(writers[i]);
  memset(self.told, 0, sizeof self.told);
  set_all(&self, -1);
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  for (int i = 0; i < VALUES; i++) {
    EXPECT_EQUAL(self.told[i], 1);
    EXPECT_EQUAL(self.shown[i], -1);
  }
  EXPECT_EQUAL(drained(self.context, 0), 0);
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Catches: change sets that are recorded, or that a journal depends on. */
CASE(a_session_does_not_know_of_them, IN_BOTH) {
  const char *path = journal_path("changes");
  for (int turn = 0; turn < 2; turn++) {
    panel self;
    mainstem_replay *replay;
    panel_open(&self, threads);
    if (turn == 0) {
      EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
      set_all(&self, 1);
      EXPECT_OK(mainstem_drain(self.context, 0, NULL));
      set_all(&self, 2);
    } else {
      replay = replay_open(self.context, path, MAINSTEM_REPLAY_VERIFY);
      EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
      EXPECT_OK(mainstem_replay_close(replay));
      EXPECT_OK(mainstem_drain(self.context, 0, NULL));
    }
    EXPECT_EQUAL(self.sets, 1);
    EXPECT_EQUAL(stats_of(self.context).events, 2 * VALUES);
    EXPECT_EQUAL(self.shown[VALUES - 1], 2);
    EXPECT_OK(mainstem_context_close(self.context));
  }
}

int main(void) { return journal_expect_all(); }
