// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// A todo list in a terminal: the view of libtodostream.so, and nothing else.

#include "lines.h"

#include <jansson.h>
#include <mainstem.h>
#include <todostream.h>

static mainstem_context *context;       /* a view's scope: its rights and no more */
static json_t *list, *deleted, *detail; /* what the core shows; NULL: nothing */

static const char *text(json_t *of, const char *key) {
  return json_string_value(json_object_get(of, key));
}

static void show(void *value, const mainstem_event *event) { /* what a value is now */
  json_decref(*(json_t **)value);
  *(json_t **)value = json_loadb(event->data, event->size, 0, NULL);
}

static void bind_to(mainstem_context *owner, const char *name, json_t **value) {
  mainstem_binding_row row = {name, show};
  mainstem_binding_add(context, owner, &row, sizeof row, 1, value, NULL, NULL);
}

static void print_row(const char *sign, size_t place, json_t *row) {
  char mark = json_is_true(json_object_get(row, "complete")) ? 'x' : ' ';
  lines_say("%s%zu. [%c] %s (%s)", sign, place + 1, mark, text(row, "title"),
            text(row, "subtitle"));
}

static void print_changes(void *user_data, const mainstem_event *event) { /* by any view */
  (void)user_data;
  json_t *payload = json_loadb(event->data, event->size, 0, NULL), *step;
  json_t *row = json_object_get(payload, "row");
  size_t index;
  json_array_foreach(json_object_get(payload, "changes"), index, step) {
    char kind = *text(step, "kind");
    size_t at = (size_t)json_integer_value(json_object_get(step, "at"));
    print_row(kind == 'i' ? "+ " : kind == 'd' ? "- " : kind == 'm' ? "> " : "* ", at, row);
  }
  json_decref(payload);
}

static void answered(void *printed, const mainstem_event *event) { /* what is shown is up to date */
  json_t *row, *shown = printed ? *(json_t **)printed : NULL;
  size_t index;
  if (event->status) lines_say("%s", event->text);
  if (event->status || !shown) return;
  json_array_foreach(json_object_get(shown, "rows"), index, row) print_row("", index, row);
  lines_say("%s", text(shown, "summary"));
}

/* Asks; the answer prints a list, or what went wrong. */
static void ask(const char *what, json_t *payload, json_t **printed) {
  mainstem_event_type type = 0;
  char *bytes = payload ? json_dumps(payload, JSON_COMPACT) : NULL;
  if (!bytes) return; /* about an edit that is over */
  mainstem_type_find(context, what, &type);
  mainstem_request(context, type, bytes, strlen(bytes), answered, printed, NULL);
  free(bytes);
  json_decref(payload);
}

/* Waits until the store, on its thread, has answered everything, or until input can be read. */
static void settle(int input) {
  mainstem_status status = MAINSTEM_OK;
  uint64_t open = 1;
  size_t drained = 1;
  while (!status && (open || drained)) {
    mainstem_activity(context, MAINSTEM_TYPE_ANY, &open);
    status = open ? mainstem_wait_interruptible(context, -1, input)
                  : mainstem_drain(context, 0, &drained);
  }
}

static void end(const char *what) { ask(what, json_pack("{s:O}", "detail", detail), NULL); }

static void save(const char *title) {
  if (json_object_set_new(detail, "title", json_string(title))) lines_say("This is no text.");
  else end("RequestUpdateDetailViewModel");
  settle(-1);
  if (text(detail, "error")) lines_say("%s", text(detail, "error"));
}

static void print_detail(void) {
  lines_say("%s (%s, %s)", text(detail, "title"), text(detail, "priorityText"),
            text(detail, "completedText"));
  if (*text(detail, "subtitle")) lines_say("%s", text(detail, "subtitle"));
}

enum { SHOW, EDIT, TOGGLE, DELETE, RESTORE, ROWS };
static const char *const commands[] = {"show", "edit", "toggle", "delete", "restore"};
static const char *const asks[] = {"RequestTodoDetailViewModel", "RequestTodoDetailViewModel",
                                   "RequestToggleCompleteTodoViewModel",
                                   "RequestDeleteTodoViewModel", "RequestRestoreTodoViewModel"};

static void obey(const char *command, char *argument) {
  int index = 0, is_deleted = !strcmp(argument, "deleted");
  while (index < ROWS && strcmp(command, commands[index])) index++;
  if (!strcmp(command, "list"))
    ask("RequestTodoViewModels", json_pack("{s:s, s:b}", "list", "home", "deleted", is_deleted),
        is_deleted ? &deleted : &list);
  else if (!strcmp(command, "add"))
    ask("RequestNewTodoDetailViewModel", json_pack("{s:s}", "list", "home"), NULL);
  else if (index == ROWS)
    lines_say(
        "list [deleted], add TITLE, show N, edit N TITLE, toggle N, delete N, restore N, quit");
  else {
    size_t number = strspn(argument, "0123456789") ? strtoul(argument, &argument, 10) : 0;
    json_t *rows = json_object_get(index == RESTORE ? deleted : list, "rows");
    json_t *row = json_array_get(rows, number - 1);
    if (!row) lines_say("There is no such row.");
    ask(asks[index], json_pack("{s:O}", "row", row), NULL);
    argument += *argument == ' ';
  }
  if (detail && index == SHOW) print_detail();
  else if (detail) save(argument);
  end("RequestCancelDetailViewModel"); /* unless it was saved and is over */
}

static void trace(void *user_data, const char *line) { fprintf(user_data, "%s\n", line); }

int main(int count, char **words) {
  todostream_options options = {.size = sizeof options, .path = "todo.sqlite"};
  mainstem_context *app = NULL, *todos = NULL;
  mainstem_event_type changed = 0;
  lines input = {0};
  lines_begin();
  mainstem_context_create(NULL, &app);
  for (int index = 1; index < count; index++)
    if (!strcmp(words[index], "--trace")) mainstem_trace(app, trace, stderr);
    else if (!strcmp(words[index], "--db") && words[index + 1]) options.path = words[++index];
    else if (!strcmp(words[index], "--record") && words[index + 1])
      mainstem_journal_record(app, words[++index], NULL);
    else if (!strcmp(words[index], "--patience") && words[index + 1])
      options.patience_ms = atoi(words[++index]);
    else
      return fprintf(stderr, "usage: todo [--db PATH] [--patience MS] [--record PATH] [--trace]\n"),
             2;
  todostream_install(app, &options, &todos);
  todostream_view(app, "view", &context);
  bind_to(todos, "list", &list);
  bind_to(todos, "deleted", &deleted);
  bind_to(todos, "detail", &detail);
  mainstem_type_find(context, "ResponseTodoViewModel", &changed);
  mainstem_observe(context, changed, print_changes, NULL, NULL, NULL);
  ask("RequestTodoViewModels", json_pack("{s:s}", "list", "home"), NULL);
  settle(-1);
  const char *sentence;
  mainstem_status failed = mainstem_context_first_error(app, &sentence);
  while (!failed && lines_next(&input, "todo> ")) {
    obey(input.command, input.argument);
    settle(isatty(0) ? 0 : -1); /* in a terminal, until the next command is typed */
  }
  failed = mainstem_context_first_error(app, &sentence);
  if (failed) fprintf(stderr, "%s\n", sentence);
  mainstem_context_close(app);
  lines_end(&input);
  return failed != MAINSTEM_OK;
}
