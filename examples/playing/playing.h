// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * A session that is shown again: at a speed, or where another process wants it. One file to copy.
 *
 *     playing session = PLAYING;
 *     … else if (playing_option(&session, words + index)) index++;   --replay PATH, --speed FACTOR, --follow FD
 *     if (!playing_is_good(&session)) return fputs(usage, stderr), 2;
 *     do {
 *       mainstem_context_create(NULL, &context);
 *       playing_open(&session, context, MAINSTEM_REPLAY_MUTED);
 *       while ((step = playing_feed(&session)) != PLAYING_OVER)
 *         if (step == PLAYING_FED) mainstem_drain(context, 0, NULL);
 *         else draw();
 *       mainstem_context_close(context);
 *     } while (playing_goes_back(&session));                         another context each time that it goes back
 *
 * With --follow, another process writes positions of the session to a pipe: decimal numbers, one a line. The last one
 * counts. The end of the pipe is the end. Windows and full screens read it with playing_read. playing.py is the same in
 * Python. Needs _GNU_SOURCE.
 */

#ifndef PLAYING_H
#define PLAYING_H

#include <errno.h>
#include <fcntl.h>
#include <mainstem.h>
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/** So many digits are a number of 64 bits. */
enum { PLAYING_LONGEST = 19 };

typedef struct playing {
  const char *path;        /* of the session; NULL: none is shown again */
  double speed;            /* below 0: none was given */
  int follow;              /* the descriptor of positions; -1: none */
  mainstem_replay *replay; /* in the context of now */
  uint64_t position;       /* where it is to be shown, if it is_wanted */
  bool is_wanted, has_ended, stays;
  char line[PLAYING_LONGEST + 2]; /* what has come of one */
  size_t size;
  int64_t first, began; /* times: of the first event, and when it was fed */
} playing;

#define PLAYING {.speed = -1, .follow = -1}

/* Options ------------------------------------------------------------------------------------------------ */

/* One that was inherited: what a program opens itself is closed in the programs that it starts. */
static inline bool playing_take_descriptor(playing *self, const char *text) {
  char *end;
  long number = strtol(text, &end, 10);
  bool is_number = *text >= '0' && *text <= '9' && !*end && number < 1000000000;
  int has = is_number ? fcntl((int)number, F_GETFD) : -1;
  int mode = is_number ? fcntl((int)number, F_GETFL) : -1;
  bool is_read = mode >= 0 && (mode & O_ACCMODE) != O_WRONLY;
  if (is_read && has >= 0 && !(has & FD_CLOEXEC) && number != 1 && number != 2) {
    self->follow = (int)number;
    return true;
  }
  fprintf(stderr, "--follow: %s is not open for reading; pass a pipe on, as 0 or as 3 or more\n",
          is_number ? text : "this");
  return false;
}

/** Takes an option and its value; false: it is another one, or its value is wrong. */
static inline bool playing_option(playing *self, char **words) {
  char *end;
  if (!words[1]) return false;
  if (!strcmp(words[0], "--replay")) self->path = words[1];
  else if (!strcmp(words[0], "--follow")) return playing_take_descriptor(self, words[1]);
  else if (!strcmp(words[0], "--speed")) {
    self->speed = strtod(words[1], &end);
    return end > words[1] && !*end && self->speed >= 0 && isfinite(self->speed);
  } else return false;
  return true;
}

/** After all options: whether they go together. If not, a line says why. */
static inline bool playing_is_good(const playing *self) {
  const char *why = self->follow < 0 ? NULL
                    : !self->path    ? "--follow FD goes through a session: add --replay PATH"
                    : self->speed >= 0
                        ? "with --follow FD, another process says where to go: leave out --speed"
                        : NULL;
  if (why) fprintf(stderr, "%s\n", why);
  return !why;
}

/* Positions ---------------------------------------------------------------------------------------------- */

static inline void playing_end_line(playing *self, bool is_whole) {
  size_t digits = strspn(self->line, "0123456789");
  if (is_whole && digits == self->size && digits && digits <= PLAYING_LONGEST) {
    self->position = strtoull(self->line, NULL, 10);
    self->is_wanted = true;
  } else {
    fprintf(stderr,
            "--follow: \"%s\" is no position; send a number of at most %d digits, and the end of "
            "its line\n",
            self->line, PLAYING_LONGEST);
  }
  memset(self->line, 0, sizeof self->line);
  self->size = 0;
}

static inline void playing_take(playing *self, const char *data, ssize_t size) {
  for (ssize_t at = 0; at < size; at++)
    if (data[at] == '\n') playing_end_line(self, true);
    else if (self->size <= PLAYING_LONGEST)
      self->line[self->size++] = data[at] < ' ' || data[at] > '~' ? '?' : data[at];
}

/** Reads what has come, and does not wait. It leaves the descriptor as others use it. */
static inline void playing_read(playing *self) {
  struct pollfd file = {self->follow, POLLIN, 0};
  char data[4096];
  while (!self->has_ended && poll(&file, 1, 0) > 0) {
    ssize_t size = read(self->follow, data, sizeof data);
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (size < 0) fprintf(stderr, "--follow: it cannot be read: %s\n", strerror(errno));
    playing_take(self, data, size);
    self->has_ended = size <= 0;
    if (self->has_ended && self->size) playing_end_line(self, false);
  }
}

/** Waits for a position; false: no more will come. */
static inline bool playing_wait(playing *self) {
  struct pollfd file = {self->follow, POLLIN, 0};
  while (!self->is_wanted && !self->has_ended) {
    poll(&file, 1, -1);
    playing_read(self);
  }
  return self->is_wanted;
}

/* The session -------------------------------------------------------------------------------------------- */

/** Opens the session for a context that is new. One that follows is muted; otherwise `mode` decides. */
static inline mainstem_status playing_open(playing *self, mainstem_context *context,
                                           uint32_t mode) {
  mainstem_replay_options options = {.size = sizeof options};
  options.mode = self->follow < 0 ? mode : MAINSTEM_REPLAY_MUTED;
  self->stays = false;
  return mainstem_replay_open(context, self->path, &options, &self->replay);
}

static inline mainstem_replay_info playing_info(mainstem_replay *replay) {
  mainstem_replay_info info = {.size = sizeof info};
  mainstem_replay_info_read(replay, &info);
  return info;
}

/** Whether a replay has passed a position: it begins again, in another context. */
static inline bool playing_is_behind(mainstem_replay *replay, uint64_t position) {
  mainstem_replay_info info = playing_info(replay);
  return info.fed && position < info.position;
}

/** Feeds all up to a position that is not behind; if there are fewer, to the end. */
static inline mainstem_status playing_seek(mainstem_replay *replay, uint64_t position) {
  mainstem_replay_info info = playing_info(replay);
  if (position > info.last) position = info.last;
  return position > info.position ? mainstem_replay_seek(replay, position) : MAINSTEM_OK;
}

/* Waits until what was recorded at a time, in nanoseconds, is due. */
static inline void playing_pace(playing *self, int64_t at) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t passed = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - self->began;
  if (!self->first) self->first = at, self->began = passed, passed = 0;
  double left = ((double)(at - self->first) / self->speed - (double)passed) / 1e9;
  if (left <= 0) return;
  now.tv_sec = left < 1e9 ? (time_t)left : 1000000000;
  now.tv_nsec = (long)((left - (double)(time_t)left) * 1e9);
  nanosleep(&now, NULL);
}

typedef enum playing_step {
  PLAYING_OVER, /* nothing more comes in this context: see playing_goes_back */
  PLAYING_FED,  /* an event was fed: what it shows is to be drained */
  PLAYING_STAYS /* it stays here: what there is to see is to be shown */
} playing_step;

static inline playing_step playing_play(playing *self) {
  uint64_t fed = 0;
  if (self->stays || mainstem_replay_step(self->replay, 1, &fed)) return PLAYING_OVER;
  self->stays = !fed;
  if (fed && self->speed > 0) playing_pace(self, playing_info(self->replay).time);
  return fed ? PLAYING_FED : PLAYING_STAYS;
}

/** Feeds the next event: when it is due, or as another process wants. A line says where it stays. */
static inline playing_step playing_feed(playing *self) {
  mainstem_replay_info info = playing_info(self->replay);
  uint64_t fed = 0;
  if (self->follow < 0) return playing_play(self);
  if (self->stays) {
    self->stays = self->is_wanted = false;
    printf("--- #%llu\n", (unsigned long long)(info.fed ? info.position : 0));
    fflush(stdout);
  }
  if (!playing_wait(self)) return PLAYING_OVER;
  if (playing_is_behind(self->replay, self->position)) {
    puts("--- again from the beginning");
    fflush(stdout);
    return PLAYING_OVER;
  }
  if (info.position < self->position && mainstem_replay_step(self->replay, 1, &fed))
    return self->is_wanted = false, PLAYING_OVER;
  self->stays = !fed;
  return fed ? PLAYING_FED : PLAYING_STAYS;
}

/** When a context is over: whether the session goes back, in another one. */
static inline bool playing_goes_back(const playing *self) { return self->is_wanted; }

#endif
