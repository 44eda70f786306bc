// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* host NAME OTHER URL FOLDER: a host of the list. What its user does is an event, which a journal keeps and a mirror
   sends; what the user of the other host does comes in by an import, under another name, so that it is not sent back. */

#include "lines.h"
#include "list.h"

#include <jansson.h>
#include <mainstem.h>
#include <mainstem/nats.h>
#include <poll.h>

enum { ADDED, TICKED, OTHER_ADDED, OTHER_TICKED, TYPES };

static const mainstem_type_row catalogue[TYPES] = {
    {"TodoAdded", MAINSTEM_PAYLOAD_JSON | MAINSTEM_LAYER_VIEW, NULL},
    {"TodoTicked", MAINSTEM_PAYLOAD_JSON | MAINSTEM_LAYER_VIEW, NULL},
    {"OtherTodoAdded", MAINSTEM_PAYLOAD_JSON | MAINSTEM_LAYER_VIEW, NULL},
    {"OtherTodoTicked", MAINSTEM_PAYLOAD_JSON | MAINSTEM_LAYER_VIEW, NULL}};

typedef struct host {
  const char *name;
  char journal[4096], prefix[NAME + 16], stream[NAME + 16];
  mainstem_context *context;
  mainstem_event_type type[TYPES];
  mainstem_nats *mirror, *import;
  list list;
} host;

static int sorry(const char *message) {
  fprintf(stderr, "%s\n", message);
  return 1;
}

/* The list -------------------------------------------------------------------------------------------- */

static void print(const todo *todo) {
  if (todo != NULL) lines_say("%s [%c] %s", todo->id, todo->is_done ? 'x' : ' ', todo->title);
}

static void on_added(void *user_data, const mainstem_event *event) {
  print(list_add(&((host *)user_data)->list, event->data, event->size));
}

static void on_ticked(void *user_data, const mainstem_event *event) {
  print(list_tick(&((host *)user_data)->list, event->data, event->size));
}

/* The list is what the journal says, from both hosts. */
static void remember(host *self) {
  mainstem_journal *journal;
  const mainstem_event *event;
  if (mainstem_journal_open(self->journal, &journal) != MAINSTEM_OK) return;
  while (mainstem_journal_next(journal, 0, &event) == MAINSTEM_OK && event != NULL) {
    mainstem_type_info type = {.size = sizeof type};
    if (mainstem_journal_type_read(journal, event->type, &type) != MAINSTEM_OK) continue;
    if (strstr(type.name, "TodoAdded")) list_add(&self->list, event->data, event->size);
    if (strstr(type.name, "TodoTicked")) list_tick(&self->list, event->data, event->size);
  }
  mainstem_journal_close(journal);
}

/* Commands -------------------------------------------------------------------------------------------- */

static void send(host *self, int type, json_t *value) {
  char *text = value != NULL ? json_dumps(value, JSON_COMPACT) : NULL;
  if (text == NULL) lines_say("This is no text.");
  else if (mainstem_send(self->context, self->type[type], text, strlen(text)) != MAINSTEM_OK)
    lines_say("%s", mainstem_last_error());
  free(text);
  json_decref(value);
}

/* How many it has added, with what it added before it was ended. */
static int added(host *self) {
  size_t length = strlen(self->name);
  int count = 0;
  for (int i = 0; i < self->list.count; i++) {
    const char *id = self->list.todos[i].id;
    count += strncmp(id, self->name, length) == 0 && id[length] == '.';
  }
  return count;
}

static void add(host *self, const char *title) {
  char id[NAME];
  snprintf(id, sizeof id, "%s.%d", self->name, added(self) + 1);
  send(self, ADDED, json_pack("{s:s, s:s}", "id", id, "title", title));
}

static void tick(host *self, const char *id) {
  const todo *todo = list_find(&self->list, id);
  if (todo == NULL || !is_shown(todo)) lines_say("There is no %s.", id);
  else
    send(self, TICKED,
         json_pack("{s:s, s:I, s:s, s:b}", "id", id, "count", (json_int_t)todo->count + 1, "by",
                   self->name, "done", !todo->is_done));
}

static void show(host *self) {
  int count = 0;
  for (int i = 0; i < self->list.count; i++) {
    if (!is_shown(&self->list.todos[i])) continue;
    print(&self->list.todos[i]);
    count++;
  }
  lines_say("%d todos", count);
}

static void command(host *self, const char *word, const char *rest) {
  if (strcmp(word, "add") == 0 && *rest) add(self, rest);
  else if (strcmp(word, "tick") == 0) tick(self, rest);
  else if (strcmp(word, "list") != 0) lines_say("add TITLE, tick ID, list");
  else show(self);
}

/* The host -------------------------------------------------------------------------------------------- */

static mainstem_status begin(host *self) {
  mainstem_context_create(NULL, &self->context);
  mainstem_journal_record(self->context, self->journal, NULL);
  mainstem_types_add(self->context, MAINSTEM_ROWS(catalogue), self->type);
  mainstem_observe(self->context, self->type[ADDED], on_added, self, NULL, NULL);
  mainstem_observe(self->context, self->type[TICKED], on_ticked, self, NULL, NULL);
  mainstem_observe(self->context, self->type[OTHER_ADDED], on_added, self, NULL, NULL);
  mainstem_observe(self->context, self->type[OTHER_TICKED], on_ticked, self, NULL, NULL);
  return mainstem_context_first_error(self->context, NULL);
}

/* What this host does goes to a stream of its own; what the other one does comes from its stream. */
static mainstem_status connect_to(host *self, const char *url) {
  const char *types[] = {"TodoAdded", "TodoTicked"};
  const char *as[] = {"OtherTodoAdded", "OtherTodoTicked"};
  mainstem_nats_options out = {.size = sizeof out, .url = url, .prefix = self->prefix};
  mainstem_nats_options in = {.size = sizeof in,
                              .url = url,
                              .stream = self->stream,
                              .types = types,
                              .as = as,
                              .type_count = 2,
                              .journal = self->journal};
  mainstem_status status = mainstem_nats_mirror(self->journal, &out, &self->mirror);
  if (status != MAINSTEM_OK) return status;
  return mainstem_nats_import(self->context, &in, &self->import);
}

/* Until its user has nothing more to say. */
static void run(host *self) {
  lines input = {0};
  struct pollfd ready[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.events = POLLIN}};
  mainstem_context_fd(self->context, &ready[1].fd);
  while (poll(ready, 2, -1) > 0) {
    if (ready[1].revents) mainstem_drain(self->context, 0, NULL);
    if (ready[0].revents && !lines_read(&input)) break;
    if (ready[0].revents) command(self, input.command, input.argument);
  }
  lines_end(&input);
}

int main(int count, char **arguments) {
  static host self;
  lines_begin();
  if (count != 5) return sorry("host NAME OTHER URL FOLDER");
  self.name = arguments[1];
  snprintf(self.journal, sizeof self.journal, "%s/%s.journal", arguments[4], self.name);
  snprintf(self.prefix, sizeof self.prefix, "twohosts.%s", self.name);
  snprintf(self.stream, sizeof self.stream, "twohosts_%s", arguments[2]);
  setvbuf(stdin, NULL, _IONBF, 0); /* What is read is what poll has seen. */
  remember(&self);
  if (begin(&self) != MAINSTEM_OK) return sorry(mainstem_last_error());
  if (connect_to(&self, arguments[3]) != MAINSTEM_OK) return sorry(mainstem_nats_last_error());
  run(&self);
  mainstem_nats_close(self.import);
  mainstem_nats_close(self.mirror);
  return mainstem_context_close(self.context);
}
