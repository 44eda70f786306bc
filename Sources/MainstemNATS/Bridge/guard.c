// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A guard of a connection that is being made. libnats 3.4 may wait without end for a server that has greeted it: it reads
   on when its time is over (nats.c 706), and gives a TLS handshake no time at all. Only the end of the connection ends
   that, but the client shows its socket when the connection stands, not before. So a guard, a thread for as long as the
   connection is being made, looks for the socket among those of the process, and shuts it down when it is late.

   Whose a socket is can only be told by what it is not: it was not there before, and its peer has a port of these
   servers. Where there are more of those than bridges that connect now, the program makes such connections, too; then
   none is touched until there are no more. */

#include "guard.h"

#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 100, USUAL_PORT = 4222 };

static pthread_mutex_t guards_lock = PTHREAD_MUTEX_INITIALIZER;
static struct guard *guards;

/* Ports ----------------------------------------------------------------------------------------------- */

/* The port of "scheme://user:password@host:port", of which host alone must be there. */
static int port_of(const char *url) {
  const char *host = strstr(url, "://"), *at;
  host = host != NULL ? host + 3 : url;
  if ((at = strrchr(host, '@')) != NULL) host = at + 1;
  if (*host == '[' && (at = strchr(host, ']')) != NULL) host = at;
  const char *port = strchr(host, ':');
  return port != NULL && atoi(port + 1) > 0 ? atoi(port + 1) : USUAL_PORT;
}

static bool has_port(const struct guard *guard, int port) {
  for (int each = 0; each < guard->servers; each++)
    if (guard->ports[each] == port) return true;
  return false;
}

static bool share_a_port(const struct guard *one, const struct guard *other) {
  for (int each = 0; each < one->servers; each++)
    if (has_port(other, one->ports[each])) return true;
  return false;
}

/* How many bridges make connections to these ports, this one included. With the lock. */
static int count_connecting(const struct guard *guard) {
  int count = 0;
  for (const struct guard *each = guards; each != NULL; each = each->next)
    count += share_a_port(guard, each);
  return count;
}

/* It was the connection of one of them. With the lock. */
static void note_ended(const struct guard *guard) {
  for (struct guard *each = guards; each != NULL; each = each->next)
    if (share_a_port(guard, each)) each->has_acted = true;
}

/* Sockets --------------------------------------------------------------------------------------------- */

/* The number that a socket keeps for life, as its descriptor does not; 0: it is none. Read of its name, as a look at a
   descriptor that others open and close counts as a race with the thread sanitizer. */
static ino_t number_of(int descriptor) {
  char path[32], name[40] = "";
  unsigned long number = 0;
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  if (readlink(path, name, sizeof name - 1) < 0) return 0;
  return sscanf(name, "socket:[%lu]", &number) == 1 ? number : 0;
}

/* The port at the other end; 0: there is none. */
static int peer_port(int descriptor) {
  struct sockaddr_storage peer;
  socklen_t size = sizeof peer;
  if (getpeername(descriptor, (struct sockaddr *)&peer, &size) != 0) return 0;
  if (peer.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&peer)->sin_port);
  if (peer.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&peer)->sin6_port);
  return 0;
}

/* A socket of the process whose peer has one of these ports; 0: it is none. */
static ino_t number_here(const struct guard *guard, int descriptor) {
  ino_t number = number_of(descriptor);
  return number != 0 && has_port(guard, peer_port(descriptor)) ? number : 0;
}

/* Finds the sockets to these ports; false: there is no room to note them. */
static bool find_sockets(struct guard *guard, bool (*note)(struct guard *, int, ino_t)) {
  DIR *folder = opendir("/proc/self/fd");
  const struct dirent *entry;
  bool has_room = true;
  if (folder == NULL) return true; /* Then none is guarded. */
  while (has_room && (entry = readdir(folder)) != NULL) {
    int descriptor = atoi(entry->d_name);
    ino_t number = entry->d_name[0] == '.' ? 0 : number_here(guard, descriptor);
    if (number != 0) has_room = note(guard, descriptor, number);
  }
  closedir(folder);
  return has_room;
}

static bool note_old(struct guard *guard, int descriptor, ino_t number) {
  (void)descriptor;
  ino_t *more = realloc(guard->old, (guard->olds + 1) * sizeof *more);
  if (more == NULL) return false;
  guard->old = more;
  guard->old[guard->olds++] = number;
  return true;
}

static bool is_old(const struct guard *guard, ino_t number) {
  for (size_t each = 0; each < guard->olds; each++)
    if (guard->old[each] == number) return true;
  return false;
}

/* Since when the guard has seen it; now: it has not. */
static int64_t seen_since(const struct seen *seen, ino_t number) {
  for (int each = 0; each < seen->count; each++)
    if (seen->sockets[each].number == number) return seen->sockets[each].since_ms;
  return now_ms();
}

static bool note_new(struct guard *guard, int descriptor, ino_t number) {
  struct seen *now = &guard->now;
  if (is_old(guard, number)) return true;
  if (now->count == MOST_BRIDGES) return false;
  now->sockets[now->count++] = (struct seen_socket){
      .descriptor = descriptor, .number = number, .since_ms = seen_since(&guard->seen, number)};
  return true;
}

/* Ends a connection; not another one that has its descriptor by now. With the lock. */
static void shut_down(const struct guard *guard, const struct seen_socket *socket) {
  int own = fcntl(socket->descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return;
  if (number_of(own) == socket->number && shutdown(own, SHUT_RDWR) == 0) note_ended(guard);
  close(own);
}

/* The thread ------------------------------------------------------------------------------------------ */

static bool is_given_up(struct bridge *bridge) {
  if (bridge == NULL) return false;
  pthread_mutex_lock(&bridge->lock);
  bool is_closing = bridge->is_closing;
  pthread_mutex_unlock(&bridge->lock);
  return is_closing;
}

/* Whether it is known whose the new sockets are. */
static bool are_ours(const struct guard *guard) {
  return guard->now.count <= count_connecting(guard);
}

/* With the lock, so that no guard looks while another one acts. */
static void look(struct guard *guard, bool is_given_up) {
  guard->now.count = 0;
  if (!is_given_up && now_ms() - guard->begun_ms < CONNECT_MS) return;
  bool is_clear = find_sockets(guard, note_new) && are_ours(guard);
  guard->seen = guard->now;
  for (int each = 0; is_clear && each < guard->seen.count; each++) {
    const struct seen_socket *socket = &guard->seen.sockets[each];
    bool is_late = now_ms() - socket->since_ms >= CONNECT_MS;
    if (is_late || (is_given_up && guard->seen.count == 1)) shut_down(guard, socket);
  }
}

static void wait_a_little(struct guard *guard) {
  int64_t until = now_ms() + LOOK_MS;
  struct timespec end = {.tv_sec = until / 1000, .tv_nsec = until % 1000 * 1000000};
  pthread_cond_timedwait(&guard->done, &guards_lock, &end);
}

static void *run(void *user_data) {
  struct guard *guard = user_data;
  pthread_mutex_lock(&guards_lock);
  while (!guard->is_done) {
    look(guard, is_given_up(guard->bridge));
    wait_a_little(guard);
  }
  pthread_mutex_unlock(&guards_lock);
  return NULL;
}

static void enter(struct guard *guard) {
  pthread_mutex_lock(&guards_lock);
  guard->next = guards;
  guards = guard;
  pthread_mutex_unlock(&guards_lock);
}

static void leave(struct guard *guard) {
  struct guard **each = &guards;
  pthread_mutex_lock(&guards_lock);
  while (*each != guard) each = &(*each)->next;
  *each = guard->next;
  guard->is_done = true;
  pthread_cond_signal(&guard->done);
  pthread_mutex_unlock(&guards_lock);
}

bool guard_begin(struct guard *guard, const struct servers *servers, struct bridge *bridge) {
  *guard = (struct guard){.bridge = bridge, .servers = servers->count, .begun_ms = now_ms()};
  for (int each = 0; each < servers->count; each++)
    guard->ports[each] = port_of(servers->urls[each]);
  condition_init(&guard->done);
  enter(guard);
  if (find_sockets(guard, note_old) && pthread_create(&guard->thread, NULL, run, guard) == 0)
    return true;
  leave(guard);
  free(guard->old);
  pthread_cond_destroy(&guard->done);
  return false;
}

bool guard_end(struct guard *guard) {
  leave(guard);
  pthread_join(guard->thread, NULL);
  free(guard->old);
  pthread_cond_destroy(&guard->done);
  return guard->has_acted;
}
