// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Plays the scenarios of a law, scenario FILE: docs/testing.md says how they are written. Each case runs in
 * a context of one thread and in one for any thread.
 */

#include "scenario_steps.h"

static void play_step(stage *stage, size_t line, const char *text, const mainstem_event *event);

typedef struct errand {
  stage *stage;
  size_t line;
  const char *text;
  const mainstem_event *event;
} errand;

static void *play_elsewhere(void *data) {
  const errand *self = (const errand *)data;
  EXPECT_EQUAL(pthread_setname_np(pthread_self(), "elsewhere"), 0);
  play_step(self->stage, self->line, self->text, self->event);
  return NULL;
}

/* Runs one step; what it gave is noted if it is not what is wanted. */
static void play_step(stage *stage, size_t line, const char *text, const mainstem_event *event) {
  call self = {.stage = stage, .line = line, .event = event};
  if (begins(text, "elsewhere ")) {
    errand there = {stage, line, text + strlen("elsewhere "), event};
    elsewhere(play_elsewhere, &there);
    return;
  }
  words_split(&self.words, text);
  for (size_t i = 0; i < COUNT(verbs); i++) {
    if (strcmp(verbs[i].verb, self.words.word[0]) != 0) continue;
    const char *gave = verbs[i].fn(&self);
    char note[400];
    if (strcmp(gave, self.words.wanted) == 0) return;
    snprintf(note, sizeof note, "%.300s gave %s", text, gave);
    stage_note(stage, note);
    return;
  }
  fprintf(stderr, "  %s:%zu: %s\n", stage->script->path, line + 1, text);
  EXPECT(!"a verb");
}

/* What the callback made by a step does: the lines below it, those with `at` for one position only. */
static void play_below(stage *self, size_t line, const mainstem_event *event) {
  const script *script = self->script;
  size_t indent = script->lines[line].indent;
  for (size_t i = line + 1; i < script->count && script->lines[i].indent > indent; i++) {
    const char *text = script->lines[i].text;
    if (script->lines[i].indent != indent + 2 || is_shown(&script->lines[i])) continue;
    if (begins(text, "at ")) {
      char *rest;
      if (strtoull(text + 3, &rest, 10) != event->position) continue;
      text = rest + 1;
    }
    play_step(self, i, text, event);
  }
}

/* Compares what a step has caused with the lines below it that show it; waits for what runs beside it. */
static void expect_shown(stage *self, size_t line) {
  const script *script = self->script;
  size_t next = 0, is_same = 1, i;
  for (i = line + 1; i < script->count && script->lines[i].indent > 0; i++) {
    if (is_shown_beside(&script->lines[i])) signal_wait(&self->beside);
  }
  for (i = line + 1; i < script->count && script->lines[i].indent > 0; i++) {
    const char *shown = script->lines[i].text;
    if (!is_shown(&script->lines[i])) continue;
    if (next >= self->entries || strcmp(self->entry[next], shown + 2) != 0) is_same = 0;
    next++;
  }
  if (is_same && next == self->entries) {
    self->entries = 0;
    return;
  }
  fprintf(stderr, "%s:%zu: %s\n", script->path, line + 1, script->lines[line].text);
  for (i = 0; i < self->entries; i++) fprintf(stderr, "  | %s\n", self->entry[i]);
  EXPECT(!"what has happened is what the file shows");
}

/* Plays the case whose message is in a line; what its context is opened with may be in the next. */
static void play_case(const script *script, size_t first, uint32_t threads) {
  static stage self;
  words with;
  size_t line = first + 1;
  words_split(&with, begins(script->lines[line].text, "with ") ? script->lines[line].text : "with");
  const char *only = word_after(&with, "threads");
  if (only != NULL && strcmp(only, threads == MAINSTEM_THREADS_ANY ? "any" : "one") != 0) return;
  memset(&self, 0, sizeof self);
  self.script = script;
  self.with = &with;
  self.threads = threads;
  self.path = journal_path("journal");
  self.thread = pthread_self();
  signal_open(&self.beside);
  stage_open(&self);
  for (; line < script->count && !begins(script->lines[line].text, "case "); line++) {
    const char *text = script->lines[line].text;
    if (script->lines[line].indent > 0 || *text == 0 || begins(text, "with ")) continue;
    play_step(&self, line, text, NULL);
    expect_shown(&self, line);
  }
  if (!self.is_closed) EXPECT_OK(mainstem_context_close(self.context));
  journal_sweep();
  expect_passed++;
}

int main(int count, char **arguments) {
  alarm(240);
  atexit(journal_remove_folder);
  EXPECT_EQUAL(count, 2);
  script script = script_read(arguments[1]);
  for (size_t i = 0; i < script.count; i++) {
    if (!begins(script.lines[i].text, "case ")) continue;
    expect_sentence = script.lines[i].text + 5;
    play_case(&script, i, MAINSTEM_THREADS_ONE);
    play_case(&script, i, MAINSTEM_THREADS_ANY);
  }
  EXPECT(expect_passed > 0);
  printf("%d passed, 0 failed\n", expect_passed);
  return 0;
}
