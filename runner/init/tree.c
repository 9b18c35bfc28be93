/*
 * Walks of trees that a job made. By descriptors only: no name is longer than one entry, no link is followed, no other
 * file system is entered, and the number of open descriptors is bounded however deep the tree is.
 */
#include "entries.h"
#include "init.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The worst that was met so far; a walk goes on after it. */
static int worst = EXIT_DONE;

/* The directory to walk, and its file system; -1 when it cannot be opened. */
static int open_top(const char *path, dev_t *device) {
  int top = open_directory(AT_FDCWD, path);
  struct stat found;
  if (top >= 0 && fstat(top, &found) == 0) {
    *device = found.st_dev;
    return top;
  }
  note(&worst, "open", path);
  if (top >= 0) close(top);
  return -1;
}

/* Takes `descriptor` over in any case. */
static DIR *listing(int descriptor, const char *name) {
  DIR *list = fdopendir(descriptor);
  if (list == NULL) {
    note(&worst, "list", name);
    close(descriptor);
  }
  return list;
}

typedef void visit(int parent, const char *name, const struct stat *found, void *state);

/* Each entry below, a directory before what it holds. */
static void walk(int directory, dev_t device, int depth, visit *visitor, void *state) {
  DIR *list = listing(directory, "directory");
  if (list == NULL) return;
  struct dirent *entry;
  while ((errno = 0, entry = readdir(list)) != NULL) {
    if (is_dots(entry->d_name)) continue;
    struct stat found;
    if (fstatat(directory, entry->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0) {
      // A job that still runs removes files while they are counted.
      if (errno != ENOENT) note(&worst, "look at", entry->d_name);
      continue;
    }
    visitor(directory, entry->d_name, &found, state);
    if (!S_ISDIR(found.st_mode) || found.st_dev != device) continue;
    if (depth == deepest) {
      worst = EXIT_TOO_DEEP;
      continue;
    }
    int below = open_directory(directory, entry->d_name);
    if (below >= 0) walk(below, device, depth + 1, visitor, state);
    else if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP) note(&worst, "open", entry->d_name);
  }
  if (errno != 0) note(&worst, "list", "directory");
  closedir(list);
}

struct owner {
  uid_t uid;
  gid_t gid;
};

static void give(int parent, const char *name, const struct stat *found, void *state) {
  const struct owner *owner = state;
  if (found->st_uid == owner->uid && found->st_gid == owner->gid) return;
  if (fchownat(parent, name, owner->uid, owner->gid, AT_SYMLINK_NOFOLLOW) != 0) note(&worst, "own", name);
}

int tree_own(const char *path, uid_t uid, gid_t gid) {
  dev_t device = 0;
  worst = EXIT_DONE;
  int top = open_top(path, &device);
  if (top < 0) return worst;
  if (fchown(top, uid, gid) != 0) note(&worst, "own", path);
  struct owner owner = {uid, gid};
  walk(top, device, 0, give, &owner);
  return worst;
}

struct usage {
  unsigned long long bytes;
  unsigned long long files;
};

static void count(int parent, const char *name, const struct stat *found, void *state) {
  (void)parent;
  (void)name;
  // All links of a file lie in the job's own tree, so that each carries its share.
  unsigned long long links = S_ISDIR(found->st_mode) || found->st_nlink == 0 ? 1 : found->st_nlink;
  struct usage *usage = state;
  usage->bytes += (unsigned long long)found->st_blocks * 512 / links;
  usage->files += 1;
}

int tree_usage(char *const paths[]) {
  struct usage usage = {0, 0};
  worst = EXIT_DONE;
  for (; *paths != NULL; paths++) {
    dev_t device = 0;
    int top = open_top(*paths, &device);
    if (top >= 0) walk(top, device, 0, count, &usage);
  }
  // A directory that could not be opened makes the whole of it unknown.
  if (worst != EXIT_DONE) return worst;
  printf("%llu %llu\n", usage.bytes, usage.files);
  return worst;
}
