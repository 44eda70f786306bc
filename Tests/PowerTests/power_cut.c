// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 4: the power fails while a process records, again and again. What a journal of level power, or a sync, has
 * acknowledged is there when the disk is mounted again. A journal of level process beside it is the control: of that
 * something must be missing now and then, or no power was cut.
 *
 *     power_cut DEVICE FOLDER [CUTS]    200 where nothing is said; DEVICE has an ext4 that nobody needs
 *
 * The file system is told to stop at once, without writing what it has in memory; the end is 77 where this kernel cannot.
 */

#include "journal.h"

#include <linux/types.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>

#define EXT4_SHUTDOWN _IOR('X', 125, __u32)
#define NO_LOG_FLUSH 2u

/* In the order of the scripts: each has a journal of its own, which goes on behind a cut. */
enum { POWER, POWER_FILES, SYNCED, CONTROL, JOURNALS };

static const char *const names[JOURNALS] = {"power", "files", "synced", "control"};

/* What the process that records was told, by journal: how many events are safe; of the control, written. And how it was
 * when the power was cut: what a process hears behind that, no process hears. */
static uint64_t *told, safe[JOURNALS];

/* How many each journal had when it was looked at last. */
static uint64_t found[JOURNALS];

static const char *device, *folder;
static int lost_by_control;

static void in_folder(char *path, int journal) {
  snprintf(path, 300, "%s/%s.journal", folder, names[journal]);
}

static void mount_it(void) { EXPECT(mount(device, folder, "ext4", 0, "data=ordered") == 0); }

static void unmount_it(void) { EXPECT(umount(folder) == 0); }

static stream begin(int journal) {
  char path[300];
  stream on = stream_open(MAINSTEM_THREADS_ONE);
  mainstem_journal_options options =
      journal_options(journal <= POWER_FILES ? MAINSTEM_JOURNAL_POWER : MAINSTEM_JOURNAL_PROCESS);
  if (journal == POWER_FILES) options.segment_size = 4096;
  in_folder(path, journal);
  EXPECT_OK(mainstem_journal_record(on.context, path, &options));
  return on;
}

/* Sends until the disk is gone. */
static void record(uint64_t seed) {
  stream on[JOURNALS];
  char payload[700] = "";
  for (int i = 0; i < JOURNALS; i++) on[i] = begin(i);
  for (uint64_t turn = seed;; turn++) {
    size_t size = 1 + (size_t)(turn * 7919 % sizeof payload);
    for (int i = 0; i < JOURNALS; i++) {
      if (mainstem_send(on[i].context, on[i].notice, payload, size) != MAINSTEM_OK) _exit(0);
      if (i == SYNCED && turn % 5 != 0) continue;
      if (i == SYNCED && mainstem_journal_sync(on[i].context) != MAINSTEM_OK) _exit(0);
      mainstem_journal_stats stats = {.size = sizeof stats};
      EXPECT_OK(mainstem_journal_stats_read(on[i].context, &stats));
      __atomic_store_n(&told[i], stats.written, __ATOMIC_RELEASE);
    }
  }
}

/* Whether the file system has stopped. */
static int cut(void) {
  unsigned flags = NO_LOG_FLUSH;
  int fd = open(folder, O_RDONLY | O_DIRECTORY), status;
  EXPECT(fd >= 0);
  status = ioctl(fd, EXT4_SHUTDOWN, &flags);
  close(fd);
  return status == 0;
}

/* Lets a process record until so many events more are safe, and cuts the power. */
static void record_and_cut(uint64_t seed) {
  uint64_t enough = found[POWER] + 1 + seed * 2654435761u % 60;
  int status;
  pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) record(seed);
  while (__atomic_load_n(&told[POWER], __ATOMIC_ACQUIRE) < enough) {
    EXPECT_EQUAL(waitpid(child, &status, WNOHANG), 0);
    sched_yield();
  }
  for (int i = 0; i < JOURNALS; i++) safe[i] = __atomic_load_n(&told[i], __ATOMIC_ACQUIRE);
  EXPECT(cut());
  EXPECT_EQUAL(waitpid(child, &status, 0), child);
  EXPECT_EQUAL(status, 0);
}

/* How many events a journal has: all from the first on. */
static uint64_t count(int journal) {
  char path[300];
  mainstem_journal *reader;
  mainstem_journal_info info = {.size = sizeof info};
  const mainstem_event *event;
  uint64_t last = 0;
  in_folder(path, journal);
  if (mainstem_journal_open(path, &reader) != MAINSTEM_OK) return 0;
  while (EXPECT_OK(mainstem_journal_next(reader, 0, &event)), event != NULL) {
    EXPECT_EQUAL(event->position, last + 1);
    last = event->position;
  }
  EXPECT_OK(mainstem_journal_info_read(reader, &info));
  EXPECT_EQUAL(info.damaged_file, 0);
  EXPECT_OK(mainstem_journal_close(reader));
  return last;
}

static void look(void) {
  for (int i = 0; i < JOURNALS; i++) {
    expect_sentence = names[i];
    found[i] = count(i);
    if (i == CONTROL) lost_by_control += found[i] < safe[i];
    else EXPECT(found[i] >= safe[i]);
  }
}

/* The control may have lost what the others go on behind: it begins anew. */
static void begin_anew(int every_journal) {
  char path[600];
  DIR *listed = opendir(folder);
  struct dirent *entry;
  while ((entry = readdir(listed)) != NULL) {
    if (!every_journal && strncmp(entry->d_name, "control", 7) != 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    unlink(path);
  }
  closedir(listed);
  for (int i = every_journal ? 0 : CONTROL; i < JOURNALS; i++) found[i] = told[i] = 0;
}

int main(int argc, char **argv) {
  int cuts = argc > 3 ? atoi(argv[3]) : 200;
  if (argc < 3 || cuts < 1) return 2;
  device = argv[1];
  folder = argv[2];
  told = (uint64_t *)mmap(NULL, sizeof(uint64_t) * JOURNALS, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (told == MAP_FAILED) return 2;
  mount_it();
  int can_cut = cut();
  unmount_it();
  if (!can_cut) return 77;
  for (int i = 0; i < cuts; i++) {
    mount_it();
    begin_anew(i % 10 == 0);
    record_and_cut((uint64_t)i);
    unmount_it();
    mount_it();
    look();
    unmount_it();
  }
  printf("%d cuts, nothing acknowledged lost; without a sync something was lost %d times\n", cuts,
         lost_by_control);
  EXPECT(lost_by_control > 0);
  return 0;
}
