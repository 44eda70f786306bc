// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// A todo list in a terminal: the view of libtodostream.so, and nothing else.

#include "lines.h"

#include <jansson.h>
#include <mainstem.h>
#include <todostream.h>

static mainstem_context *context;           /* a view's scope: its rights and no more */
static json_t *list, *detail;               /* what the core shows; NULL: nothing */
static mainstem_retained *listed, *deleted; /* the last event of each list of rows */
static json_t *saved;                       /* the edit sessions that were saved here */

static const char *text(json_t *of, const char *key) {
  return json_string_value(json_object_get(of, key));
}

static void show(void *value, const mainstem_event *event) { /* what a value is now */
  json_decref(*(json_t **)value);
  *(json_t **)value = json_loadb(event->data, event->size, 0, NULL);
}

static void bind_to(mainstem_context *owner, const char *name, mainstem_event_fn fn, void *value) {
  mainstem_binding_row row = {name, fn, 0};
  mainstem_binding_add(context, owner, &row, sizeof row, 1, value, NULL, NULL);
}

static json_t *row_at(mainstem_retained *rows, size_t index) { /* NULL: there is no such row */
  const mainstem_event *event;
  mainstem_list_row row = {0};
  size_t count = 0;
  if (!mainstem_retained_event(rows, &event)) mainstem_list_count(event, &count);
  if (index < count) mainstem_list_row_get(event, index, &row);
  return json_loadb(row.data, row.size, 0, NULL);
}

static bool is_listed(json_t *row) { /* a row that left the deleted ones: if not, it was purged */
  const mainstem_event *event;
  const char *id = text(json_object_get(row, "todo"), "id");
  size_t place;
  return !mainstem_retained_event(listed, &event) &&
         !mainstem_list_find(event, id, strlen(id), &place);
}

static void print_row(const char *sign, size_t place, json_t *row) {
  char mark = json_is_true(json_object_get(row, "complete")) ? 'x' : ' ';
  lines_say("%s%zu. [%c] %s", sign, place + 1, mark, text(row, "title"));
}

static void print_changes(void *rows, const mainstem_event *event) { /* made by any view */
  static const char *const signs[] = {"", "- ", "> ", "+ ", "* "};
  mainstem_retained **now = rows, *before = *now;
  mainstem_list_change change;
  mainstem_event_retain(event, now);
  for (size_t run = 0; list && !mainstem_list_read(event, run, &change); run++) {
    mainstem_retained *in = change.kind == MAINSTEM_LIST_REMOVE ? before : *now;
    size_t first = change.kind == MAINSTEM_LIST_MOVE ? change.to : change.index;
    for (size_t at = first; change.kind && at < first + change.count; at++) {
      json_t *row = row_at(in, at);
      if (now == &listed || (in == before && !is_listed(row)))
        print_row(signs[change.kind], at, row);
      json_decref(row);
    }
  }
  mainstem_retained_release(before);
}

static void print_answer(void *more, const mainstem_event *event) { /* NULL: only what is wrong */
  json_t *payload = more ? json_loadb(event->data, event->size, 0, NULL) : NULL, *row;
  json_t *is_deleted = json_object_get(payload, "deleted"); /* of a list that was read */
  const char *error = text(json_object_get(payload, "detail"), "error");
  if (event->status) lines_say("%s", event->user_message);
  else if (error) lines_say("%s", error);
  else if (is_deleted) {
    mainstem_retained *rows = json_is_true(is_deleted) ? deleted : listed;
    for (size_t at = 0; (row = row_at(rows, at)); json_decref(row)) print_row("", at++, row);
    lines_say("%s", text(list, rows == deleted ? "deletedSummary" : "summary"));
  }
  json_decref(payload);
}

/* Asks; the answer prints a list, or what went wrong. */
static void ask(const char *what, json_t *payload, bool is_list) {
  mainstem_event_type type = 0;
  char *bytes = payload ? json_dumps(payload, JSON_COMPACT) : NULL;
  if (!bytes) return; /* about an edit that is over */
  mainstem_type_find(context, what, &type);
  mainstem_request(context, type, bytes, strlen(bytes), print_answer, is_list ? &list : NULL, NULL);
  free(bytes);
  json_decref(payload);
}

/* Waits until the store has answered everything, or input can be read. A terminal is told what takes long. */
static void settle(int input, const char *doing) {
  mainstem_status status = MAINSTEM_OK;
  int64_t silence = isatty(STDOUT_FILENO) ? 300 : -1;
  uint64_t open = 1;
  size_t drained = 1;
  while (!status && (open || drained)) {
    mainstem_request_count(context, MAINSTEM_TYPE_ANY, &open);
    status = open ? mainstem_wait_interruptible(context, silence, input)
                  : mainstem_drain(context, 0, &drained);
    if (status == MAINSTEM_TIMEOUT) lines_say("%s", doing), status = MAINSTEM_OK, silence = -1;
  }
}

static void ask_home(const char *what) { ask(what, json_pack("{s:s}", "list", "home"), false); }
static void end(const char *what) { ask(what, json_pack("{s:O}", "detail", detail), false); }

static void save(const char *field, const char *value) {
  if (json_object_set_new(detail, field, json_string(value))) lines_say("This is no text.");
  else if (!json_object_set_new(saved, text(detail, "session"), json_true()))
    end("RequestUpdateDetailViewModel");
}

/* What could not be kept is open again; here, it is typed again. */
static void print_unsaved(void *sessions, const mainstem_event *event) {
  json_t *payload = json_loadb(event->data, event->size, 0, NULL);
  json_t *unsaved = json_object_get(payload, "detail");
  if (text(unsaved, "error") && !json_object_del(sessions, text(unsaved, "session"))) {
    lines_say("%s", text(unsaved, "error"));
    ask("RequestCancelDetailViewModel", json_pack("{s:O}", "detail", unsaved), false);
  }
  json_decref(payload);
}

enum { SHOW, EDIT, SUBTITLE, PRIORITY, TOGGLE, MOVE, DELETE, RESTORE, PURGE, ROWS };
static const char *const commands[] = {"show", "edit",   "subtitle", "priority", "toggle",
                                       "move", "delete", "restore",  "purge"};
static const char *const asks[] = {"RequestToggleCompleteTodoViewModel", "RequestMoveTodoViewModel",
                                   "RequestDeleteTodoViewModel", "RequestRestoreTodoViewModel",
                                   "RequestPurgeTodoViewModel"};

static void obey(const char *command, char *argument) {
  int index = 0, is_deleted = !strcmp(argument, "deleted");
  while (index < ROWS && strcmp(command, commands[index])) index++;
  if (!strcmp(command, "list"))
    ask("RequestTodoViewModels", json_pack("{s:s, s:b}", "list", "home", "deleted", is_deleted),
        true);
  else if (!strcmp(command, "add")) ask_home("RequestNewTodoDetailViewModel");
  else if (!strcmp(command, "undo")) ask_home("RequestUndoDeleteTodoViewModel");
  else if (index == ROWS)
    lines_say("list [deleted], add TITLE, show N, edit N TITLE, subtitle N TEXT, priority N, "
              "toggle N, move N M, delete N, undo, restore N, purge N, quit");
  else {
    mainstem_retained *rows = index >= RESTORE ? deleted : listed;
    size_t from = lines_number(&argument), to = index == MOVE ? lines_number(&argument) : from;
    json_t *other = row_at(rows, to - 1), *row = other ? row_at(rows, from - 1) : NULL;
    json_decref(other);
    if (!row) lines_say("There is no such row.");
    ask(index < TOGGLE ? "RequestTodoDetailViewModel" : asks[index - TOGGLE],
        json_pack("{s:o, s:o*}", "row", row, "before",
                  row && index == MOVE ? row_at(rows, to - (to <= from)) : NULL),
        false);
  }
  if (detail && index == SHOW) {
    lines_say("%s (%s, %s)", text(detail, "title"), text(detail, "completedText"),
              text(detail, "priorityText"));
    if (*text(detail, "subtitle")) lines_say("%s", text(detail, "subtitle"));
  } else if (detail && index == PRIORITY)
    save("priority", strcmp(text(detail, "priority"), "high") ? "high" : "normal");
  else if (detail) save(index == SUBTITLE ? "subtitle" : "title", argument);
  end("RequestCancelDetailViewModel"); /* unless it was saved and is over */
}

static void show_again(mainstem_replay *session, double speed) { /* answered as it was */
  mainstem_replay_info info = {.size = sizeof info};
  uint64_t fed = 1;
  mainstem_observe_options answers = {.size = sizeof answers, .role = MAINSTEM_ROLE_RESPONSE};
  mainstem_observe_with(context, &answers, print_answer, &list, NULL, NULL);
  while (fed && !mainstem_replay_step(session, 1, &fed)) {
    mainstem_replay_info_read(session, &info);
    lines_pace(speed, info.time);
    mainstem_drain(context, 0, NULL);
  }
}

/* In a terminal, the next command need not wait for the store. */
static void use(lines *input) {
  mainstem_event_type type = 0;
  saved = json_object();
  mainstem_type_find(context, "ResponseTodoDetailViewModel", &type);
  mainstem_observe(context, type, print_unsaved, saved, NULL, NULL);
  ask_home("RequestTodoViewModels");
  settle(-1, "Loading …");
  while (lines_next(input, "todo> ")) {
    obey(input->command, input->argument);
    settle(isatty(STDIN_FILENO) ? STDIN_FILENO : -1,
           strcmp(input->command, "list") ? "Saving …" : "Loading …");
  }
  settle(-1, "Saving …");
}

static void trace(void *user_data, const char *line) { fprintf(user_data, "%s\n", line); }

static const char usage[] = "usage: todo [--db PATH] [--patience MS] [--record PATH] [--trace]\n"
                            "       todo --replay PATH [--speed FACTOR]\n";

int main(int count, char **words) {
  todostream_options options = {.size = sizeof options, .path = "todo.sqlite"};
  mainstem_replay_options replay = {.size = sizeof replay, .mode = MAINSTEM_REPLAY_VERIFY};
  mainstem_context *app = NULL, *todos = NULL;
  mainstem_replay *session = NULL;
  lines input = {0};
  double speed = 0;
  lines_begin();
  mainstem_context_create(NULL, &app);
  for (int index = 1; index < count; index++)
    if (!strcmp(words[index], "--trace")) mainstem_trace(app, trace, stderr);
    else if (!strcmp(words[index], "--db") && words[index + 1]) options.path = words[++index];
    else if (!strcmp(words[index], "--record") && words[index + 1])
      mainstem_journal_record(app, words[++index], NULL);
    else if (!strcmp(words[index], "--replay") && words[index + 1])
      mainstem_replay_open(app, words[++index], &replay, &session);
    else if (!strcmp(words[index], "--speed") && words[index + 1] &&
             lines_speed(words[index + 1], &speed))
      index++;
    else if (!strcmp(words[index], "--patience") && words[index + 1])
      options.patience_ms = atoi(words[++index]);
    else return fputs(usage, stderr), 2;
  todostream_install(app, &options, &todos);
  todostream_view(app, "view", &context);
  bind_to(todos, "list", show, &list);
  bind_to(todos, "detail", show, &detail);
  bind_to(todos, "rows", print_changes, &listed);
  bind_to(todos, "deletedRows", print_changes, &deleted);
  const char *message;
  mainstem_status failed = mainstem_context_first_error(app, &message);
  if (!failed) session ? show_again(session, speed) : use(&input);
  failed = mainstem_context_first_error(app, &message);
  if (failed) fprintf(stderr, "%s\n", message);
  mainstem_retained_release(listed);
  mainstem_retained_release(deleted);
  mainstem_context_close(app);
  lines_end(&input);
  return failed != MAINSTEM_OK;
}
