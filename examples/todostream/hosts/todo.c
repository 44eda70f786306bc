// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// A todo list in a terminal: the view of libtodostream.so, and nothing else.

#include <jansson.h>
#include <mainstem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <todostream.h>
#include <unistd.h>

static mainstem_context *context; /* a view's scope: its rights and no more */
static json_t *lists[2], *detail; /* shown, deleted; the open edit session. NULL: none */

static const char *text(json_t *of, const char *key) {
  return json_string_value(json_object_get(of, key));
}

static void print_row(const char *sign, size_t place, json_t *row) {
  char mark = json_is_true(json_object_get(row, "complete")) ? 'x' : ' ';
  printf("%s%zu. [%c] %s (%s)\n", sign, place + 1, mark, text(row, "title"), text(row, "subtitle"));
}

static void change(json_t *rows, json_t *step, json_t *row) {
  char kind = *text(step, "kind");
  size_t at = (size_t)json_integer_value(json_object_get(step, "at"));
  size_t from = (size_t)json_integer_value(json_object_get(step, "from"));
  if (kind == 'd' || kind == 'm') json_array_remove(rows, kind == 'm' ? from : at);
  if (kind == 'i' || kind == 'm') json_array_insert(rows, at, row);
  if (kind == 'r') json_array_set(rows, at, row);
  print_row(kind == 'i' ? "+ " : kind == 'd' ? "- " : kind == 'm' ? "> " : "* ", at, row);
}

static void show(void *user_data, const mainstem_event *event) { /* every answer for a view */
  (void)user_data;
  json_t *payload = json_loadb(event->data, event->size, 0, NULL), *step;
  json_t *given = json_object_get(payload, "detail"), *list = json_object_get(payload, "list");
  size_t index;
  if (event->status != MAINSTEM_OK) puts(event->text);
  else if (given) {
    json_decref(detail);
    detail = json_object_get(payload, "outcome") ? NULL : json_incref(given);
    if (text(detail, "error")) puts(text(detail, "error"));
  } else if (json_is_object(list)) {
    lists[json_is_true(json_object_get(list, "deleted"))] = json_incref(list);
  } else if (lists[0]) {
    json_array_foreach(json_object_get(payload, "changes"), index, step)
        change(json_object_get(lists[0], "rows"), step, json_object_get(payload, "row"));
  }
  json_decref(payload);
}

static void ask(const char *what, json_t *payload) {
  mainstem_event_type type = 0;
  char *bytes = payload ? json_dumps(payload, JSON_COMPACT) : NULL;
  if (!bytes) return; /* about a row or an edit that does not exist */
  mainstem_type_find(context, what, &type);
  mainstem_send(context, type, bytes, strlen(bytes));
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

static json_t *list(int deleted, int printed) {
  json_t *row;
  size_t index;
  json_decref(lists[deleted]);
  lists[deleted] = NULL;
  ask("RequestTodoViewModels", json_pack("{s:s, s:b}", "list", "home", "deleted", deleted));
  settle(-1);
  json_array_foreach(json_object_get(lists[deleted], "rows"), index, row) if (printed)
      print_row("", index, row);
  if (printed && lists[deleted]) puts(text(lists[deleted], "summary"));
  return lists[deleted];
}

static void end(const char *what) { ask(what, json_pack("{s:O}", "detail", detail)); }

static void save(const char *title) {
  if (!json_object_set_new(detail, "title", json_string(title)))
    end("RequestUpdateDetailViewModel");
  else if (detail) puts("This is no text.");
  settle(-1);
  end("RequestCancelDetailViewModel"); /* unless it is saved and over */
}

static void print_detail(void) {
  printf("%s (%s, ", text(detail, "title"), text(detail, "priorityText"));
  printf("%s)\n", text(detail, "completedText"));
  if (*text(detail, "subtitle")) puts(text(detail, "subtitle"));
  end("RequestCancelDetailViewModel");
}

enum { SHOW, EDIT, TOGGLE, DELETE, RESTORE, ROWS };
static const char *const commands[] = {"show", "edit", "toggle", "delete", "restore"};
static const char *const asks[] = {"RequestTodoDetailViewModel", "RequestTodoDetailViewModel",
                                   "RequestToggleCompleteTodoViewModel",
                                   "RequestDeleteTodoViewModel", "RequestRestoreTodoViewModel"};

static void obey(const char *command, char *argument) {
  int index = 0;
  while (index < ROWS && strcmp(command, commands[index])) index++;
  if (!strcmp(command, "list")) list(!strcmp(argument, "deleted"), 1);
  else if (!strcmp(command, "add")) {
    ask("RequestNewTodoDetailViewModel", json_pack("{s:s}", "list", "home"));
    save(argument);
  } else if (index == ROWS)
    puts("list [deleted], add TITLE, show N, edit N TITLE, toggle N, delete N, restore N, quit");
  else {
    json_t *shown = index == RESTORE ? list(1, 0) : lists[0];
    size_t number = strspn(argument, "0123456789") ? strtoul(argument, &argument, 10) : 0;
    json_t *row = json_array_get(json_object_get(shown, "rows"), number - 1);
    if (shown && !row) puts("There is no such row.");
    ask(asks[index], json_pack("{s:O}", "row", row));
    if (detail && index == SHOW) print_detail();
    if (detail && index == EDIT) save(argument + (*argument == ' '));
  }
}

static void trace(void *user_data, const char *line) { fprintf(user_data, "%s\n", line); }

int main(int count, char **words) {
  todostream_options options = {.size = sizeof options, .path = "todo.sqlite"};
  mainstem_observe_options answers = {.size = sizeof answers, .role = MAINSTEM_ROLE_RESPONSE};
  mainstem_context *app = NULL;
  setvbuf(stdout, NULL, _IOLBF, 0); /* a line is seen even while the host waits */
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
  todostream_install(app, &options, NULL);
  todostream_view(app, "view", &context);
  mainstem_observe_with(context, &answers, show, NULL, NULL, NULL);
  list(0, 0);
  const char *sentence;
  char *line = NULL, *prompt = isatty(0) ? "todo> " : "";
  size_t capacity = 0;
  while (fputs(prompt, stdout), fflush(stdout), getline(&line, &capacity, stdin) >= 0) {
    line[strcspn(line, "\n")] = 0;
    char *argument = line + strspn(line, " "), *command = strsep(&argument, " ");
    if (!strcmp(command, "quit")) break;
    if (*command) obey(command, argument ? argument : command + strlen(command));
    settle(isatty(0) ? 0 : -1); /* in a terminal, until the next command is typed */
  }
  mainstem_status failed = mainstem_context_first_error(app, &sentence);
  if (failed) fprintf(stderr, "%s\n", sentence);
  mainstem_context_close(app);
  free(line);
  return failed != MAINSTEM_OK;
}
