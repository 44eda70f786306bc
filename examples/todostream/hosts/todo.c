// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// A todo list by lines: a view of libtodostream.so, and nothing else.

#include "host.h"
#include "lines.h"

#include <jansson.h>

static mainstem_context *context;           /* a view's scope: its rights and no more */
static json_t *list, *detail;               /* what the core shows; NULL: nothing */
static mainstem_retained *listed, *deleted; /* the last event of each list of rows */
static json_t *saved;                       /* the edit sessions that were saved here */
static json_t *sought;                      /* what is shown of the list; NULL: all */
static const char *sorted;
static size_t page;
static bool has_query,
    is_quiet; /* whether a query is shown, and whether its rows are on their way */

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

static size_t first_of(mainstem_retained *rows) { /* where its rows are in the whole */
  const mainstem_event *event;
  mainstem_list_window window = {0};
  if (!mainstem_retained_event(rows, &event)) mainstem_list_window_get(event, &window);
  return window.offset;
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

/* Where a view asks for other rows, the answer prints them, and not what has changed. */
static void note_query(void *user_data, const mainstem_event *event) {
  json_t *payload = json_loadb(event->data, event->size, 0, user_data);
  is_quiet = has_query;
  has_query = json_object_get(payload, "query") != NULL;
  is_quiet |= has_query;
  json_decref(payload);
}

static void print_changes(void *rows, const mainstem_event *event) { /* made by any view */
  static const char *const signs[] = {"", "- ", "> ", "+ ", "* "};
  mainstem_retained **now = rows, *before = *now;
  mainstem_list_change change;
  mainstem_event_retain(event, now);
  for (size_t run = 0; list && !is_quiet && !mainstem_list_read(event, run, &change); run++) {
    mainstem_retained *in = change.kind == MAINSTEM_LIST_REMOVE ? before : *now;
    size_t first = change.kind == MAINSTEM_LIST_MOVE ? change.to : change.index;
    for (size_t at = first; change.kind && at < first + change.count; at++) {
      json_t *row = row_at(in, at);
      if (now == &listed || (in == before && !is_listed(row)))
        print_row(signs[change.kind], first_of(in) + at, row);
      json_decref(row);
    }
  }
  mainstem_retained_release(before);
}

static void print_answer(void *more, const mainstem_event *event) { /* NULL: only what is wrong */
  json_t *payload = more ? json_loadb(event->data, event->size, 0, NULL) : NULL, *row;
  json_t *is_deleted = json_object_get(payload, "deleted"); /* of a list that was read */
  const char *error = text(json_object_get(payload, "detail"), "error");
  if (event->status || is_deleted) is_quiet = false;
  if (event->status) lines_say("%s", event->user_message);
  else if (error) lines_say("%s", error);
  else if (is_deleted) {
    mainstem_retained *rows = json_is_true(is_deleted) ? deleted : listed;
    for (size_t at = 0; (row = row_at(rows, at)); json_decref(row))
      print_row("", first_of(rows) + at++, row);
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

enum { LIST, FIND, SORT, PAGE, SELECTIONS, PAGE_ROWS = 10, PAGES = 1000000, SORTS = 4 };
static const char *const selections[] = {"list", "find", "sort", "page"};
static const char *const sorts[][2] = {{"title", "lower(title)"},
                                       {"priority", "todo.priority"},
                                       {"created", "-todo.createdAt"},
                                       {"done", "-complete"}};
static const char found[] =
    "lower(title) contains lower($text) or lower(todo.subtitle) contains lower($text)";

/* Shows the list, or what is selected from it; what was typed is a value of the query. */
static void select_rows(int command, char *argument) {
  int sort = 0, is_deleted = command == LIST && !strcmp(argument, "deleted");
  json_t *text = command == FIND && *argument ? json_string(argument) : NULL;
  char *digits = argument;
  size_t number = command == PAGE ? lines_number(&digits) : 0;
  while (sort < SORTS && strcmp(argument, sorts[sort][0])) sort++;
  if (command == FIND && *argument && !text) return lines_say("This is no text.");
  if (command == SORT && *argument && sort == SORTS)
    return lines_say("sort by one of: title, priority, created, done");
  if (command == PAGE && (!number || number > PAGES)) return lines_say("There is no such page.");
  page = number;
  if (command == FIND || command == LIST) json_decref(sought), sought = text;
  if (command == LIST) sorted = NULL;
  if (command == SORT) sorted = sort < SORTS ? sorts[sort][1] : NULL;
  json_t *query = json_object();
  if (sought) {
    json_object_set_new(query, "where", json_string(found));
    json_object_set_new(query, "values", json_pack("{s:O}", "text", sought));
  }
  if (sorted) json_object_set_new(query, "sort", json_pack("[s]", sorted));
  if (page) {
    json_object_set_new(query, "offset", json_integer((json_int_t)(page - 1) * PAGE_ROWS));
    json_object_set_new(query, "limit", json_integer(PAGE_ROWS));
  }
  json_t *asked = json_pack("{s:s, s:b}", "list", "home", "deleted", is_deleted);
  if (json_object_size(query)) json_object_set(asked, "query", query);
  json_decref(query);
  ask("RequestTodoViewModels", asked, true);
}

static void obey(const char *command, char *argument) {
  int index = 0, selection = 0;
  while (index < ROWS && strcmp(command, commands[index])) index++;
  while (selection < SELECTIONS && strcmp(command, selections[selection])) selection++;
  if (selection < SELECTIONS) select_rows(selection, argument);
  else if (!strcmp(command, "add")) ask_home("RequestNewTodoDetailViewModel");
  else if (!strcmp(command, "undo")) ask_home("RequestUndoDeleteTodoViewModel");
  else if (index == ROWS)
    lines_say(
        "list [deleted], find [TEXT], sort [FIELD], page N, add TITLE, show N, edit N TITLE, "
        "subtitle N TEXT, priority N, toggle N, move N M, delete N, undo, restore N, purge N, "
        "quit");
  else {
    mainstem_retained *rows = index >= RESTORE ? deleted : listed;
    size_t from = lines_number(&argument), to = index == MOVE ? lines_number(&argument) : from;
    from -= first_of(rows), to -= first_of(rows);
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

static void observe_type(const char *name, mainstem_scheduler on, mainstem_event_fn fn,
                         void *user_data) {
  mainstem_event_type type = 0;
  mainstem_observe_options options = {.size = sizeof options, .types = &type, .type_count = 1};
  options.scheduler = on;
  mainstem_type_find(context, name, &type);
  mainstem_observe_with(context, &options, fn, user_data, NULL, NULL);
}

static void show_again(const host *self) { /* answered as it was */
  mainstem_observe_options answers = {.size = sizeof answers, .role = MAINSTEM_ROLE_RESPONSE};
  mainstem_observe_with(context, &answers, print_answer, &list, NULL, NULL);
  while (playing_feed(self->playing) != PLAYING_OVER) mainstem_drain(context, 0, NULL);
}

/* In a terminal, the next command need not wait for the store. */
static void use(void) {
  lines input = {0};
  saved = json_object();
  /* On the host: what a view sends is an input, as a verification has no view. */
  observe_type("ResponseTodoDetailViewModel", MAINSTEM_SCHEDULER_HOST, print_unsaved, saved);
  ask_home("RequestTodoViewModels");
  settle(-1, "Loading …");
  while (lines_next(&input, "todo> ")) {
    obey(input.command, input.argument);
    settle(isatty(STDIN_FILENO) ? STDIN_FILENO : -1,
           strstr("list find sort page", input.command) ? "Loading …" : "Saving …");
  }
  settle(-1, "Saving …");
  lines_end(&input);
}

void lines_run(const host *self) {
  context = self->view;
  bind_to(self->values, "list", show, &list);
  bind_to(self->values, "detail", show, &detail);
  bind_to(self->values, "rows", print_changes, &listed);
  bind_to(self->values, "deletedRows", print_changes, &deleted);
  observe_type("RequestTodoViewModels", MAINSTEM_SCHEDULER_IMMEDIATE, note_query, NULL);
  self->session ? show_again(self) : use();
  mainstem_retained_release(listed);
  mainstem_retained_release(deleted);
  json_decref(list);
  json_decref(detail);
  listed = deleted = NULL, list = detail = NULL, has_query = is_quiet = false;
}
