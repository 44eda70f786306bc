// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What the core shows, as a screen keeps it, and what a screen asks for. */

#include "screen.h"

#include "lines.h"

static char *format(const char *form, va_list rest) {
  char *text = NULL;
  if (vasprintf(&text, form, rest) < 0) lines_fail("there is no memory", "");
  return text;
}

__attribute__((format(printf, 1, 2))) static char *text_of(const char *form, ...) {
  va_list rest;
  va_start(rest, form);
  char *text = format(form, rest);
  va_end(rest);
  return text;
}

static void set_text(char **text, char *to) {
  free(*text);
  *text = to;
}

void screen_say(screen *self, const char *form, ...) {
  va_list rest;
  va_start(rest, form);
  set_text(&self->message, form ? format(form, rest) : NULL);
  va_end(rest);
}

const char *screen_text(json_t *of, const char *key) {
  return json_string_value(json_object_get(of, key));
}

static json_t *read_json(const mainstem_event *event) { /* NULL: nothing */
  return json_loadb(event->data, event->size, JSON_ALLOW_NUL, NULL);
}

/* Lists ------------------------------------------------------------------------------------------- */

pane *screen_pane(screen *self) { return &self->panes[self->is_deleted]; }

bool screen_row(const pane *self, size_t index, mainstem_list_row *row) {
  const mainstem_event *event;
  return self->rows && index < self->count && !mainstem_retained_event(self->rows, &event) &&
         !mainstem_list_row_get(event, index, row);
}

static bool find(const pane *self, const char *key, size_t size, size_t *index) {
  const mainstem_event *event;
  return self->rows && !mainstem_retained_event(self->rows, &event) &&
         !mainstem_list_find(event, key, size, index);
}

/* Where a row is after a change; of one that is removed, the place that it had. */
static size_t place_after(size_t at, const mainstem_list_change *change) {
  size_t end = change->index + change->count;
  bool is_in = at >= change->index && at < end;
  switch (change->kind) {
  case MAINSTEM_LIST_REMOVE:
    return is_in ? change->index : at < end ? at : at - change->count;
  case MAINSTEM_LIST_INSERT:
    return at < change->index ? at : at + change->count;
  case MAINSTEM_LIST_MOVE:
    if (is_in) return change->to + at - change->index;
    if (at >= end) at -= change->count;
    return at < change->to ? at : at + change->count;
  }
  return at;
}

/* The first row that is seen stays there, but for that of a list that begins there. */
static size_t top_after(size_t top, const mainstem_list_change *change) {
  bool moves = change->kind == MAINSTEM_LIST_MOVE && top >= change->index &&
               top < change->index + change->count;
  return top == 0 || moves ? top : place_after(top, change);
}

static void apply(pane *self, const mainstem_list_change *change) {
  if (self->count) {
    self->selected = place_after(self->selected, change);
    self->top = top_after(self->top, change);
  }
  if (change->kind == MAINSTEM_LIST_INSERT) self->count += change->count;
  if (change->kind == MAINSTEM_LIST_REMOVE) self->count -= change->count;
}

static void select_key(pane *self, const char *key, size_t size) {
  size_t index;
  if (find(self, key, size, &index)) self->selected = index;
}

static void show_rows(void *list, const mainstem_event *event) {
  pane *self = list, before = *self;
  mainstem_list_change change;
  mainstem_list_row row;
  bool is_reset = false;
  for (size_t run = 0; !mainstem_list_read(event, run, &change); run++) {
    is_reset = is_reset || change.kind == MAINSTEM_LIST_RESET;
    apply(self, &change);
  }
  if (mainstem_event_retain(event, &self->rows)) self->rows = NULL;
  self->count = 0;
  mainstem_list_count(event, &self->count);
  if (is_reset && screen_row(&before, before.selected, &row))
    select_key(self, row.key, row.key_size);
  if (self->selected >= self->count) self->selected = self->count ? self->count - 1 : 0;
  if (self->wanted && find(self, self->wanted, strlen(self->wanted), &self->selected))
    set_text(&self->wanted, NULL);
  mainstem_retained_release(before.rows);
}

static void show_list(void *screen_, const mainstem_event *event) {
  screen *self = screen_;
  json_decref(self->list);
  self->list = read_json(event);
}

void screen_select(screen *self, long index) {
  pane *pane = screen_pane(self);
  long last = (long)pane->count - 1;
  pane->selected = (size_t)(index > last ? (last < 0 ? 0 : last) : index < 0 ? 0 : index);
  set_text(&pane->wanted, NULL);
  self->moved = 0;
  self->turn++;
}

void screen_see(screen *self, bool deleted) {
  self->is_deleted = deleted;
  self->moved = 0;
  self->turn++;
}

char *screen_copy_row(screen *self) {
  mainstem_list_row row;
  pane *pane = screen_pane(self);
  return screen_row(pane, pane->selected, &row)
             ? text_of("%.*s", (int)row.size, (const char *)row.data)
             : NULL;
}

/* Edits ------------------------------------------------------------------------------------------- */

static const char *const names[] = {"title", "subtitle"};

/* The edit that is on the screen now, as it was typed before, or as the core has it. */
static void show_detail(void *screen_, const mainstem_event *event) {
  screen *self = screen_;
  json_t *detail = read_json(event), *draft;
  const char *session = screen_text(detail, "session");
  bool is_same = session && self->detail && !strcmp(session, screen_text(self->detail, "session"));
  if (session && (!json_object_get(self->drafts, session) || screen_text(detail, "error")))
    json_object_set(self->drafts, session, detail);
  draft = session ? json_object_get(self->drafts, session) : NULL;
  for (int i = 0; draft && i < PRIORITY; i++) {
    json_t *text = json_object_get(draft, names[i]);
    field_set(&self->edited[i], json_string_value(text), json_string_length(text));
  }
  if (!is_same) self->place = TITLE;
  set_text(&self->problem, NULL);
  self->detail = draft;
  json_decref(detail);
}

void screen_keep(screen *self) {
  for (int i = 0; i < PRIORITY; i++)
    json_object_set_new(self->detail, names[i],
                        json_stringn(self->edited[i].text, self->edited[i].size));
}

/* Answers ----------------------------------------------------------------------------------------- */

typedef struct question question;

struct question {
  screen *screen;
  void (*then)(const question *self, json_t *payload); /* NULL: what has changed is shown already */
  const char *advice;                                  /* after a failure; NULL: none */
  unsigned turn;                                       /* of the selection */
  int step;                                            /* of a move */
};

/* What went wrong, in the words of the core: at the edit, if it is about that. */
static void show_failure(screen *self, const mainstem_event *event, const char *advice) {
  mainstem_error error = {.size = sizeof error};
  const char *session = screen_text(self->detail, "session");
  mainstem_event_error(event, &error);
  const char *text = *event->user_message ? event->user_message : error.message;
  if (session && error.subject && !strcmp(error.subject, session))
    set_text(&self->problem, text_of("%s", text));
  else screen_say(self, advice ? "%s %s" : "%s", text, advice);
}

static void answered(void *asked, const mainstem_event *event) {
  question *self = asked;
  json_t *payload = event->status ? NULL : read_json(event);
  if (event->status) show_failure(self->screen, event, self->advice);
  if (self->then) self->then(self, payload);
  json_decref(payload);
  free(self);
}

/* Asks, and frees the payload; `wanted`: what to do with the answer. */
static void ask(screen *self, const char *what, char *payload, question wanted) {
  question *asked = malloc(sizeof *asked);
  mainstem_event_type type = 0;
  if (!asked) lines_fail("there is no memory", "");
  *asked = wanted;
  asked->screen = self;
  asked->turn = self->turn;
  mainstem_type_find(self->host->view, what, &type);
  if (mainstem_request(self->host->view, type, payload, strlen(payload), answered, asked, NULL)) {
    screen_say(self, "This was not done: %s", mainstem_last_error());
    free(asked);
  }
  free(payload);
}

/* Requests ---------------------------------------------------------------------------------------- */

static char *packed(const char *key, json_t *value) { /* a payload with one value */
  json_t *payload = json_pack("{s:O}", key, value);
  char *text = json_dumps(payload, JSON_COMPACT);
  if (!text) lines_fail("there is no memory", "");
  json_decref(payload);
  return text;
}

static void ask_list(screen *self, const char *what, question wanted) {
  const char *id = screen_text(self->list, "id");
  json_t *name = json_string(id ? id : "home");
  ask(self, what, packed("list", name), wanted);
  json_decref(name);
}

static void ask_row(screen *self, const char *what) {
  char *row = screen_copy_row(self);
  if (row) ask(self, what, text_of("{\"row\":%s}", row), (question){0});
  free(row);
}

void screen_read(screen *self, const char *list) {
  json_t *name = list ? json_string(list) : NULL;
  question wanted = {.advice = list ? "Press l to try again." : "Press R to try again."};
  if (name) ask(self, "RequestTodoViewModels", packed("list", name), wanted);
  else if (list) screen_say(self, "This is no text: a name is UTF-8.");
  else ask_list(self, "RequestTodoViewModels", wanted);
  json_decref(name);
}

/* What is typed is a value of the query. */
void screen_find(screen *self, const char *text) {
  static const char found[] =
      "lower(title) contains lower($text) or lower(todo.subtitle) contains lower($text)";
  const char *id = screen_text(self->list, "id");
  json_t *asked = json_pack("{s:s, s:{s:s, s:{s:s}}}", "list", id ? id : "home", "query", "where",
                            found, "values", "text", text);
  char *payload = asked ? json_dumps(asked, JSON_COMPACT) : NULL;
  if (payload)
    ask(self, "RequestTodoViewModels", payload, (question){.advice = "Press / to try again."});
  else screen_say(self, "This is no text: what is found is UTF-8.");
  json_decref(asked);
}

void screen_toggle(screen *self) { ask_row(self, "RequestToggleCompleteTodoViewModel"); }
void screen_delete(screen *self) { ask_row(self, "RequestDeleteTodoViewModel"); }
void screen_restore(screen *self) { ask_row(self, "RequestRestoreTodoViewModel"); }

static void select_restored(const question *self, json_t *payload) {
  const char *id = screen_text(json_object_get(json_object_get(payload, "row"), "todo"), "id");
  if (id && self->turn == self->screen->turn) select_key(self->screen->panes, id, strlen(id));
}

void screen_undo(screen *self) {
  ask_list(self, "RequestUndoDeleteTodoViewModel", (question){.then = select_restored});
}

void screen_purge(screen *self) {
  ask(self, "RequestPurgeTodoViewModel", text_of("{\"row\":%s}", self->purged), (question){0});
}

/* The row is there now, or it stays: the next move goes on from where it is. */
static void end_move(const question *self, json_t *payload) {
  (void)payload;
  if (self->turn == self->screen->turn) self->screen->moved -= self->step;
}

/* Several moves may be asked for before the first one is kept: each goes on where the last one leads. */
void screen_move(screen *self, int step) {
  pane *pane = screen_pane(self);
  mainstem_list_row row, before;
  long from = (long)pane->selected, to = from + self->moved + step;
  if (to < 0 || to >= (long)pane->count || !screen_row(pane, pane->selected, &row)) return;
  self->moved += step;
  char *payload = screen_row(pane, (size_t)(to < from ? to : to + 1), &before)
                      ? text_of("{\"row\":%.*s,\"before\":%.*s}", (int)row.size,
                                (const char *)row.data, (int)before.size, (const char *)before.data)
                      : text_of("{\"row\":%.*s}", (int)row.size, (const char *)row.data);
  ask(self, "RequestMoveTodoViewModel", payload, (question){.then = end_move, .step = step});
}

void screen_add(screen *self) {
  screen_see(self, false);
  ask_list(self, "RequestNewTodoDetailViewModel", (question){0});
}

void screen_edit(screen *self) { ask_row(self, "RequestTodoDetailViewModel"); }

/* An edit is over: its draft is not needed any more, and its row is selected as soon as it is there. */
static void end_edit(const question *self, json_t *payload) {
  json_t *detail = json_object_get(payload, "detail");
  const char *session = screen_text(detail, "session");
  const char *id = screen_text(json_object_get(detail, "todo"), "id");
  const char *outcome = screen_text(payload, "outcome");
  pane *pane = self->screen->panes;
  if (session) json_object_del(self->screen->drafts, session);
  if (!id || !outcome || strcmp(outcome, "saved")) return;
  if (find(pane, id, strlen(id), &pane->selected)) return;
  set_text(&pane->wanted, text_of("%s", id));
}

void screen_save(screen *self) {
  ask(self, "RequestUpdateDetailViewModel", packed("detail", self->detail),
      (question){.then = end_edit});
}

void screen_cancel(screen *self) {
  ask(self, "RequestCancelDetailViewModel", packed("detail", self->detail),
      (question){.then = end_edit});
}

/* Binding ----------------------------------------------------------------------------------------- */

/* Of a session that is shown again: what was answered to those who asked. */
static void show_answer(void *self, const mainstem_event *event) {
  if (event->status) show_failure(self, event, NULL);
}

void screen_bind(screen *self) {
  const mainstem_binding_row rows[] = {{"rows", show_rows, 0}, {"deletedRows", show_rows, 0}};
  const mainstem_binding_row others[] = {{"list", show_list, 0}, {"detail", show_detail, 0}};
  mainstem_observe_options answers = {.size = sizeof answers, .role = MAINSTEM_ROLE_RESPONSE};
  self->drafts = json_object();
  for (int i = 0; i < 2; i++)
    mainstem_binding_add(self->host->view, self->host->values, &rows[i], sizeof rows[i], 1,
                         &self->panes[i], NULL, NULL);
  mainstem_binding_add(self->host->view, self->host->values, MAINSTEM_ROWS(others), self, NULL,
                       NULL);
  if (self->host->session)
    mainstem_observe_with(self->host->view, &answers, show_answer, self, NULL, NULL);
}

void screen_end(screen *self) {
  for (int i = 0; i < 2; i++) {
    mainstem_retained_release(self->panes[i].rows);
    free(self->panes[i].wanted);
    field_end(&self->edited[i]);
  }
  json_decref(self->list);
  json_decref(self->drafts);
  field_end(&self->name);
  free(self->purged);
  free(self->message);
  free(self->problem);
  *self = (screen){.host = self->host};
}
