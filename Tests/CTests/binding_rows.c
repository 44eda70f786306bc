// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Rows of bindings that the host's scheduler calls: two-way ones, and others. */

#include "elsewhere.h"
#include "scheduled.h"

/* An owner with two values, and a view whose control shows one of them. */
typedef struct form {
  mainstem_context *context, *owner, *view;
  mainstem_event_type name, size;
  mainstem_binding *binding;
  char control[32]; /* What the control shows; the user types into it, too. */
  transcript seen;
} form;

static void form_open(form *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  self->owner = scope_open(self->context, "Form");
  self->view = scope_open(self->context, "View");
  self->name = type_open(self->context, "Form.name",
                         MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_VALUE | MAINSTEM_LAYER_VIEW, NULL);
  self->size =
      type_open(self->context, "Form.size",
                MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_ROLE_VALUE | MAINSTEM_LAYER_VIEW, NULL);
}

static void form_close(form *self) { EXPECT_OK(mainstem_context_close(self->context)); }

static mainstem_status say(const form *self, const char *name) {
  return mainstem_value_set_text(self->owner, self->name, name);
}

/* The user types: the control shows it, then its view writes it. */
static mainstem_status type_in(form *self, const char *text) {
  snprintf(self->control, sizeof self->control, "%s", text);
  return mainstem_binding_set(self->binding, "name", text, strlen(text));
}

/* A toolkit's setter: it tells of each change, also of one that the program makes. */
static void show_name(void *user_data, const mainstem_event *event) {
  form *self = (form *)user_data;
  transcript_add(&self->seen, "%s%s", event->flags & MAINSTEM_EVENT_LATE ? "late " : "",
                 mainstem_value_text(event));
  EXPECT_OK(type_in(self, mainstem_value_text(event)));
}

static void show_size(void *user_data, const mainstem_event *event) {
  transcript_add(&((form *)user_data)->seen, "%d", (int)mainstem_event_integer(event));
}

static void form_ended(void *user_data) { transcript_add(&((form *)user_data)->seen, "~"); }

static const mainstem_binding_row rows[] = {{"name", show_name, MAINSTEM_BINDING_TWO_WAY},
                                            {"size", show_size, MAINSTEM_BINDING_ON_HOST}};

static void form_bind(form *self) {
  EXPECT_OK(mainstem_binding_add(self->view, self->owner, rows, sizeof rows[0], COUNT(rows), self,
                                 form_ended, &self->binding));
}

/* Catches: a row that is called at once, or with each value; one on the host that gets the newest alone. */
CASE(the_host_calls_them, IN_BOTH) {
  form self;
  form_open(&self, threads);
  EXPECT_OK(say(&self, "one"));
  form_bind(&self);
  EXPECT_OK(mainstem_value_set_integer(self.owner, self.size, 1));
  EXPECT_OK(mainstem_value_set_integer(self.owner, self.size, 2));
  EXPECT_TEXT(self.seen.text, "");
  EXPECT_EQUAL(drained(self.context, 0), 3);
  EXPECT_TEXT(self.seen.text, "late one 1 2");
  EXPECT_OK(say(&self, "two"));
  EXPECT_OK(say(&self, "three"));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "late one 1 2 three");
  form_close(&self);
  EXPECT_TEXT(self.seen.text, "late one 1 2 three ~");
}

/* Catches: a view that is shown what it wrote, or what was there before. */
CASE(what_the_view_wrote_and_what_is_older_does_not_come_back, IN_BOTH) {
  form self;
  form_open(&self, threads);
  form_bind(&self);
  EXPECT_OK(type_in(&self, "a"));
  EXPECT_OK(say(&self, "A"));
  EXPECT_OK(type_in(&self, "ab"));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "");
  EXPECT_TEXT(self.control, "ab");
  EXPECT_OK(type_in(&self, "abc"));
  EXPECT_OK(say(&self, "ABC"));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "ABC");
  EXPECT_TEXT(self.control, "ABC");
  form_close(&self);
}

/* Catches: the same, where what is accepted waits for the host, and a drain takes one at a time. */
CASE(nor_where_events_wait_for_the_host, IN_BOTH) {
  form self = {0};
  self.context = CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST);
  self.owner = scope_open(self.context, "Form");
  self.view = scope_open(self.context, "View");
  self.name =
      type_open(self.context, "Form.name", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_VALUE, NULL);
  EXPECT_OK(mainstem_binding_add(self.view, self.owner, rows, sizeof rows[0], 1, &self, form_ended,
                                 &self.binding));
  EXPECT_OK(say(&self, "model"));
  EXPECT_EQUAL(drained(self.context, 1), 1);
  EXPECT_OK(type_in(&self, "user"));
  EXPECT_EQUAL(drained(self.context, 1), 1);
  EXPECT_TEXT(self.seen.text, "");
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "");
  form_close(&self);
}

static void show_and_write(void *user_data, const mainstem_event *event) {
  form *self = (form *)user_data;
  int64_t size = event->size;
  transcript_add(&self->seen, "%s", mainstem_value_text(event));
  EXPECT_OK(mainstem_binding_set(self->binding, "name", "echo", 4));
  EXPECT_OK(mainstem_binding_set(self->binding, "size", &size, sizeof size));
}

/* Catches: an echo that is sent; another value that is taken for one; echoes outside the function. */
CASE(what_its_function_writes_to_itself_is_ignored, IN_BOTH) {
  const mainstem_binding_row row = {"name", show_and_write, MAINSTEM_BINDING_TWO_WAY};
  form self;
  form_open(&self, threads);
  EXPECT_OK(
      mainstem_binding_add(self.view, self.owner, &row, sizeof row, 1, &self, NULL, &self.binding));
  EXPECT_OK(say(&self, "model"));
  uint64_t before = stats_of(self.context).events;
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "model");
  EXPECT_EQUAL(stats_of(self.context).events, before + 1);
  EXPECT_OK(mainstem_binding_set(self.binding, "name", "user", 4));
  EXPECT_EQUAL(stats_of(self.context).events, before + 2);
  form_close(&self);
}

/* What another view of the owner writes, and another owner that it can write to. */
static form others[2];

/* GTK's gtk_editable_set_text: it tells that the text is gone, then what the new one is. */
static void show_and_tell(void *user_data, const mainstem_event *event) {
  form *self = (form *)user_data;
  transcript_add(&self->seen, "%s", mainstem_value_text(event));
  for (size_t i = 0; i < COUNT(others); i++) {
    EXPECT_OK(mainstem_binding_set(others[i].binding, "name", "", 0));
    EXPECT_OK(mainstem_binding_set(others[i].binding, "name", event->data, event->size));
  }
}

/* Catches: an echo through a second view that is sent, and so comes back for ever; one to another owner that is not. */
CASE(whichever_view_of_its_owner_writes, IN_BOTH) {
  const mainstem_binding_row row = {"name", show_and_tell, MAINSTEM_BINDING_TWO_WAY};
  form self;
  form_open(&self, threads);
  others[0] = others[1] = self;
  others[0].view = scope_open(self.context, "Other");
  others[1].owner = scope_open(self.context, "Form");
  for (size_t i = 0; i < COUNT(others); i++) {
    EXPECT_OK(mainstem_binding_add(others[i].view, others[i].owner, NULL, sizeof row, 0, NULL, NULL,
                                   &others[i].binding));
  }
  EXPECT_OK(
      mainstem_binding_add(self.view, self.owner, &row, sizeof row, 1, &self, NULL, &self.binding));
  EXPECT_OK(mainstem_binding_set(others[0].binding, "name", "typed", 5));
  for (int i = 0; i < 100; i++) drained(self.context, 0);
  EXPECT_TEXT(self.seen.text, "typed");
  /* The one that was typed, and two to the other owner. */
  EXPECT_EQUAL(stats_of(self.context).events, 3);
  EXPECT_OK(mainstem_binding_set(others[0].binding, "name", "more", 4));
  for (int i = 0; i < 100; i++) drained(self.context, 0);
  EXPECT_TEXT(self.seen.text, "typed more");
  EXPECT_EQUAL(stats_of(self.context).events, 6);
  form_close(&self);
}

/* Catches: two views of one value that answer each other for ever, or that end with different texts. */
CASE(two_views_that_both_write_show_the_same_in_the_end, IN_BOTH) {
  form self, other;
  form_open(&self, threads);
  form_bind(&self);
  other = self;
  other.view = scope_open(self.context, "Other");
  form_bind(&other);
  EXPECT_OK(type_in(&self, "left"));
  EXPECT_OK(type_in(&other, "right"));
  EXPECT_OK(type_in(&self, "left again"));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.control, "left again");
  EXPECT_TEXT(other.control, "left again");
  EXPECT_EQUAL(stats_of(self.context).events, 3);
  EXPECT_EQUAL(drained(self.context, 0), 0);
  form_close(&self);
}

/* Catches: writes to an old owner that hide what the new one shows. */
CASE(a_new_owner_is_shown_whatever_was_written_before, IN_BOTH) {
  form self;
  form_open(&self, threads);
  mainstem_context *other = scope_open(self.context, "Form");
  EXPECT_OK(mainstem_value_set_text(other, self.name, "other"));
  form_bind(&self);
  EXPECT_OK(type_in(&self, "typed"));
  EXPECT_OK(mainstem_binding_retarget(self.binding, other));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "late other");
  EXPECT_OK(mainstem_binding_retarget(self.binding, self.owner));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "late other late typed");
  form_close(&self);
}

static void tell(void *user_data, const char *const *names, size_t count) {
  form *self = (form *)user_data;
  transcript_add(&self->seen, "(");
  for (size_t i = 0; i < count; i++) transcript_add(&self->seen, "%s", names[i]);
  transcript_add(&self->seen, ")");
}

/* Catches: a change set that names what the view wrote itself, or what its rows have not been shown. */
CASE(change_sets_name_what_its_rows_have_been_shown, IN_BOTH) {
  form self;
  form_open(&self, threads);
  form_bind(&self);
  EXPECT_OK(mainstem_binding_on_changes(self.binding, tell, &self));
  EXPECT_OK(mainstem_value_set_integer(self.owner, self.size, 7));
  EXPECT_OK(type_in(&self, "typed"));
  EXPECT_EQUAL(drained(self.context, 0), 3);
  EXPECT_TEXT(self.seen.text, "7 ( size )");
  form_close(&self);
}

static void end_the_binding(void *user_data, const mainstem_event *event) {
  form *self = (form *)user_data;
  EXPECT_OK(mainstem_binding_end(self->binding));
  transcript_add(&self->seen, "%s", mainstem_value_text(event));
  EXPECT_STATUS(mainstem_binding_set(self->binding, "name", "", 0), MAINSTEM_STALE);
}

/* Catches: a hook before the last call is over, or never; rows that are called after the end. */
CASE(it_may_end_in_its_own_function, IN_BOTH) {
  const mainstem_binding_row ends[] = {{"name", end_the_binding, MAINSTEM_BINDING_TWO_WAY},
                                       {"name", show_name, MAINSTEM_BINDING_ON_HOST}};
  form self;
  form_open(&self, threads);
  EXPECT_OK(mainstem_binding_add(self.view, self.owner, ends, sizeof ends[0], 2, &self, form_ended,
                                 &self.binding));
  EXPECT_OK(say(&self, "last"));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "last ~");
  EXPECT_EQUAL(stats_of(self.context).subscriptions, 0);
  EXPECT_OK(say(&self, "more"));
  EXPECT_EQUAL(drained(self.context, 0), 0);
  form_close(&self);
  EXPECT_TEXT(self.seen.text, "last ~");
}

/* Catches: a flag that is taken for another, or for none; a pulse of which a two-way row would lose some. */
CASE(what_cannot_be_bound_is_refused, IN_BOTH) {
  mainstem_binding_row row = {"name", show_name, 4};
  form self;
  form_open(&self, threads);
  mainstem_context *pulses = scope_open(self.context, "Pulses");
  type_open(self.context, "Pulses.name", MAINSTEM_PAYLOAD_TEXT, NULL);
  EXPECT_STATUS(mainstem_binding_add(self.view, self.owner, &row, sizeof row, 1, &self, form_ended,
                                     &self.binding),
                MAINSTEM_UNSUPPORTED);
  row.flags = MAINSTEM_BINDING_TWO_WAY | MAINSTEM_BINDING_ON_HOST;
  EXPECT_STATUS(mainstem_binding_add(self.view, pulses, &row, sizeof row, 1, &self, form_ended,
                                     &self.binding),
                MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "MAINSTEM_ROLE_VALUE") != NULL);
  EXPECT(self.binding == NULL);
  EXPECT_OK(mainstem_binding_add(self.view, self.owner, &row, sizeof row, 1, &self, form_ended,
                                 &self.binding));
  EXPECT_STATUS(mainstem_binding_retarget(self.binding, pulses), MAINSTEM_INVALID);
  EXPECT_OK(say(&self, "still"));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "still");
  form_close(&self);
  EXPECT_TEXT(self.seen.text, "still ~");
}

/* Catches: a row that loses a change and nobody hears of it; a gap that a function takes for its value. */
CASE(what_a_full_queue_loses_is_a_failed_call, IN_BOTH) {
  enum { QUEUE = 65536 };
  form self;
  form_open(&self, threads);
  EXPECT_OK(mainstem_binding_add(self.view, self.owner, &rows[1], sizeof rows[1], 1, &self, NULL,
                                 &self.binding));
  for (int64_t i = 0; i < QUEUE; i++)
    EXPECT_OK(mainstem_value_set_integer(self.owner, self.size, i));
  EXPECT_STATUS(mainstem_value_set_integer(self.owner, self.size, -1), MAINSTEM_FULL);
  /* Nothing is refused to a timer. */
  EXPECT_OK(mainstem_send_after(self.owner, self.size, "timeless", 8, 0, 0, NULL));
  EXPECT_OK(mainstem_drain(self.context, 1, NULL));
  EXPECT_EQUAL(stats_of(self.context).failures, 0);
  transcript_clear(&self.seen);
  while (drained(self.context, 1000) > 0) transcript_clear(&self.seen);
  EXPECT_EQUAL(stats_of(self.context).failures, 1);
  form_close(&self);
}

enum { WRITERS = 3, WRITES = 2000 };

typedef struct writer {
  mainstem_binding *binding;
  int done;
} writer;

/* No other thread writes what the view does. */
static void hear_others(void *user_data, const mainstem_event *event) {
  char own[24];
  snprintf(own, sizeof own, "%p", user_data);
  EXPECT(strcmp(mainstem_value_text(event), own) != 0);
}

static void *write_often(void *data) {
  writer *self = (writer *)data;
  char own[24];
  snprintf(own, sizeof own, "%p", data);
  for (int i = 0; i < WRITES; i++) {
    EXPECT_OK(mainstem_binding_set(self->binding, "name", own, strlen(own)));
  }
  __atomic_store_n(&self->done, 1, __ATOMIC_RELEASE);
  return NULL;
}

/* Catches: a write whose position is known only after another thread has drained it. */
CASE(many_threads_write_while_one_drains, IN_ANY) {
  const mainstem_binding_row row = {"name", hear_others, MAINSTEM_BINDING_TWO_WAY};
  writer writers[WRITERS];
  pthread_t running[WRITERS];
  form self;
  memset(writers, 0, sizeof writers);
  form_open(&self, threads);
  for (int i = 0; i < WRITERS; i++) {
    EXPECT_OK(mainstem_binding_add(self.view, self.owner, &row, sizeof row, 1, &writers[i], NULL,
                                   &writers[i].binding));
  }
  for (int i = 0; i < WRITERS; i++) running[i] = beside(write_often, &writers[i]);
  for (int i = 0; i < WRITERS; i++) {
    while (!__atomic_load_n(&writers[i].done, __ATOMIC_ACQUIRE)) drained(self.context, 0);
    join(running[i]);
  }
  form_close(&self);
}

/* What a two-way row's function is told when it writes. */
typedef struct told {
  mainstem_binding *binding;
  mainstem_status own, other;
  int calls;
} told;

static void write_both(void *user_data, const mainstem_event *event) {
  told *self = (told *)user_data;
  self->own = mainstem_binding_set(self->binding, "name", "x", 1);
  self->other = mainstem_binding_set(self->binding, "other", "x", 1);
  self->calls++;
}

/* Catches: a function that is not told that the owner of what it shows has ended. */
CASE(of_an_ended_owner_nothing_is_written, IN_BOTH) {
  static const mainstem_binding_row row[] = {{"name", write_both, MAINSTEM_BINDING_TWO_WAY}};
  const mainstem_contract text = MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_VALUE;
  mainstem_context *context = context_open(threads), *owner = scope_open(context, "Cell");
  mainstem_event_type name = type_open(context, "Cell.name", text, NULL);
  told self = {NULL, MAINSTEM_OK, MAINSTEM_OK, 0};
  type_open(context, "Cell.other", text, NULL);
  EXPECT_OK(mainstem_binding_add(scope_open(context, "View"), owner, MAINSTEM_ROWS(row), &self,
                                 NULL, &self.binding));
  EXPECT_OK(mainstem_value_set_text(owner, name, "a"));
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_OK(self.own);
  EXPECT_OK(self.other);
  EXPECT_OK(mainstem_value_set_text(owner, name, "b"));
  EXPECT_OK(mainstem_scope_end(owner));
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_EQUAL(self.calls, 2);
  EXPECT_STATUS(self.own, MAINSTEM_STALE);
  EXPECT_STATUS(self.other, MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_close(context));
}

int main(void) { return expect_all(); }
