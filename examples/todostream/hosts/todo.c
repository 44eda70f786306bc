// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// A todo list in a terminal: the view of libtodostream.so, and nothing else.

#include "lines.h"

#include <jansson.h>
#include <mainstem.h>
#include <todostream.h>

static mainstem_context *context;       /* a view's scope: its rights and no more */
static json_t *list, *deleted, *detail; /* what the core shows; NULL: nothing */
static json_t *saved;                   /* the edit sessions that were saved here */

static const char *text(json_t *of, const char *key) {
  return json_string_value(json_object_get(of, key));
}

static void show(void *value, const mainstem_event *event) { /* what a value is now */
  json_decref(*(json_t **)value);
  *(json_t **)value = json_loadb(event->data, event->size, 0, NULL);
}

static void bind_to(mainstem_context *owner, const char *name, json_t **value) {
  mainstem_binding_row row = {name, show, 0};
  mainstem_binding_add(context, owner, &row, sizeof row, 1, value, NULL, NULL);
}

static void print_row(const char *sign, size_t place, json_t *row) {
  char mark = json_is_true(json_object_get(row, "complete")) ? 'x' : ' ';
  lines_say("%s%zu. [%c] %s", sign, place + 1, mark, text(row, "title"));
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

static void print_list(json_t *shown) {
  json_t *row;
  size_t index;
  json_array_foreach(json_object_get(shown, "rows"), index, row) print_row("", index, row);
  if (text(shown, "summary")) lines_say("%s", text(shown, "summary"));
}

static void answered(void *printed, const mainstem_event *event) { /* what is shown is up to date */
  if (event->status) lines_say("%s", event->user_message);
  else if (printed) print_list(*(json_t **)printed);
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
    if (status != MAINSTEM_TIMEOUT) continue;
    lines_say("%s", doing);
    status = MAINSTEM_OK, silence = -1;
  }
}

static void ask_home(const char *what) { ask(what, json_pack("{s:s}", "list", "home"), NULL); }
static void end(const char *what) { ask(what, json_pack("{s:O}", "detail", detail), NULL); }

static void save(const char *field, const char *value) {
  if (json_object_set_new(detail, field, json_string(value))) lines_say("This is no text.");
  else if (!json_object_set_new(saved, text(detail, "session"), json_true()))
    end("RequestUpdateDetailViewModel");
}

/* What could not be kept is open again; here, it is typed again. */
static void print_unsaved(void *user_data, const mainstem_event *event) {
  json_t *payload = json_loadb(event->data, event->size, 0, NULL);
  json_t *unsaved = json_object_get(payload, "detail");
  (void)user_data;
  if (text(unsaved, "error") && !json_object_del(saved, text(unsaved, "session"))) {
    lines_say("%s", text(unsaved, "error"));
    ask("RequestCancelDetailViewModel", json_pack("{s:O}", "detail", unsaved), NULL);
  }
  json_decref(payload);
}

static void print_detail(void) {
  lines_say("%s (%s, %s)", text(detail, "title"), text(detail, "completedText"),
            text(detail, "priorityText"));
  if (*text(detail, "subtitle")) lines_say("%s", text(detail, "subtitle"));
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
        is_deleted ? &deleted : &list);
  else if (!strcmp(command, "add")) ask_home("RequestNewTodoDetailViewModel");
  else if (!strcmp(command, "undo")) ask_home("RequestUndoDeleteTodoViewModel");
  else if (index == ROWS)
    lines_say("list [deleted], add TITLE, show N, edit N TITLE, subtitle N TEXT, priority N, "
              "toggle N, move N M, delete N, undo, restore N, purge N, quit");
  else {
    json_t *rows = json_object_get(index >= RESTORE ? deleted : list, "rows");
    size_t from = lines_number(&argument), to = index == MOVE ? lines_number(&argument) : from;
    json_t *row = json_array_get(rows, to - 1) ? json_array_get(rows, from - 1) : NULL;
    if (!row) lines_say("There is no such row.");
    ask(index < TOGGLE ? "RequestTodoDetailViewModel" : asks[index - TOGGLE],
        json_pack("{s:O, s:O*}", "row", row, "before",
                  index == MOVE ? json_array_get(rows, to - (to <= from)) : NULL),
        NULL);
  }
  if (detail && index == SHOW) print_detail();
  else if (detail && index == PRIORITY)
    save("priority", strcmp(text(detail, "priority"), "high") ? "high" : "normal");
  else if (detail) save(index == SUBTITLE ? "subtitle" : "title", argument);
  end("RequestCancelDetailViewModel"); /* unless it was saved and is over */
}

/* Shows a session again: what was asked is answered as it was. */
static void print_answer(void *user_data, const mainstem_event *event) {
  json_t *payload = event->status ? NULL : json_loadb(event->data, event->size, 0, NULL);
  json_t *unsaved = json_object_get(payload, "detail");
  (void)user_data;
  if (event->status) lines_say("%s", event->user_message);
  if (text(unsaved, "error")) lines_say("%s", text(unsaved, "error"));
  print_list(json_object_get(payload, "list"));
  json_decref(payload);
}

static void observe(const char *name, mainstem_event_fn fn) {
  mainstem_event_type type = 0;
  mainstem_type_find(context, name, &type);
  mainstem_observe(context, type, fn, NULL, NULL, NULL);
}

static const char *const answers[] = {"ResponseTodoViewModels", "ResponseTodoViewModel",
                                      "ResponsePurgedTodoViewModel", "ResponseTodoDetailViewModel",
                                      "ResponseUpdateDetailViewModel"};

static void show_again(mainstem_replay *session, double speed) {
  mainstem_replay_info info = {.size = sizeof info};
  uint64_t fed = 1;
  for (size_t index = 0; index < sizeof answers / sizeof answers[0]; index++)
    observe(answers[index], print_answer);
  while (fed && !mainstem_replay_step(session, 1, &fed)) {
    mainstem_replay_info_read(session, &info);
    lines_pace(speed, info.time);
    mainstem_drain(context, 0, NULL);
  }
}

/* In a terminal, the next command need not wait for the store. */
static void use(lines *input) {
  saved = json_object();
  observe("ResponseTodoDetailViewModel", print_unsaved);
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
  bind_to(todos, "list", &list);
  bind_to(todos, "deleted", &deleted);
  bind_to(todos, "detail", &detail);
  observe("ResponseTodoViewModel", print_changes);
  observe("ResponsePurgedTodoViewModel", print_changes);
  const char *message;
  mainstem_status failed = mainstem_context_first_error(app, &message);
  if (!failed && session) show_again(session, speed);
  else if (!failed) use(&input);
  failed = mainstem_context_first_error(app, &message);
  if (failed) fprintf(stderr, "%s\n", message);
  mainstem_context_close(app);
  lines_end(&input);
  return failed != MAINSTEM_OK;
}
