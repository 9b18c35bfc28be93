/*
 * Removes what a job left, whatever it did against that: names too long for a path, directories without rights,
 * ten thousand levels, attributes that forbid changes. By descriptors, at most `deepest` of them open.
 */
#include "entries.h"
#include "init.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

struct removal {
  int top;
  dev_t device;
  /* For names of directories that were lifted to the top. */
  unsigned long lifted;
  int worst;
};

/* Attributes such as "immutable"; only root of the host may take them away. */
static void loosen(int descriptor) {
  long flags = 0;
  if (ioctl(descriptor, FS_IOC_GETFLAGS, &flags) != 0) return;
  long free_flags = flags & ~(long)(FS_IMMUTABLE_FL | FS_APPEND_FL);
  if (free_flags != flags) (void)ioctl(descriptor, FS_IOC_SETFLAGS, &free_flags);
}

static void loosen_entry(int parent, const char *name) {
  struct stat found;
  loosen(parent);
  if (fstatat(parent, name, &found, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) return;
  int descriptor = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  loosen(descriptor);
  close(descriptor);
}

static bool unlinked(int parent, const char *name, int flags) {
  if (unlinkat(parent, name, flags) == 0 || errno == ENOENT) return true;
  if (errno != EPERM && errno != EACCES) return false;
  int before = errno;
  loosen_entry(parent, name);
  if (unlinkat(parent, name, flags) == 0) return true;
  if (errno != EISDIR) errno = before;
  return false;
}

/* Of a tree that is being removed, rights that its owner took away are given back. */
static int open_closed(int parent, const char *name) {
  int found = open_directory(parent, name);
  if (found >= 0 || errno != EACCES) return found;
  (void)fchmodat(parent, name, 0700, 0);
  return open_directory(parent, name);
}

/* A directory that is too deep goes to the top, where it is as shallow as any. */
static bool lift(struct removal *removal, int parent, const char *name) {
  char fresh[64];
  do {
    snprintf(fresh, sizeof fresh, ".forgeline-lifted-%lu", removal->lifted++);
  } while (faccessat(removal->top, fresh, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
  return renameat(parent, name, removal->top, fresh) == 0;
}

static bool is_here(struct removal *removal, int descriptor) {
  struct stat found;
  if (fstat(descriptor, &found) == 0 && found.st_dev == removal->device) return true;
  errno = EXDEV;
  return false;
}

static void empty(struct removal *removal, int directory, int depth);

/* Whether the entry is gone. */
static bool removed(struct removal *removal, int parent, const char *name, int depth) {
  if (unlinked(parent, name, 0)) return true;
  if (errno != EISDIR && errno != EPERM && errno != EACCES) return false;
  int before = errno;
  int below = open_closed(parent, name);
  if (below < 0) {
    if (errno == ENOTDIR || errno == ELOOP) errno = before;
    return false;
  }
  if (!is_here(removal, below)) {
    close(below);
    return false;
  }
  (void)fchmod(below, 0700);
  if (depth < deepest) {
    empty(removal, below, depth + 1);
  } else {
    loosen(below);
    close(below);
    return lift(removal, parent, name);
  }
  return unlinked(parent, name, AT_REMOVEDIR);
}

/* Closes `directory`. Goes round until nothing is left, or nothing more can be removed. */
static void empty(struct removal *removal, int directory, int depth) {
  DIR *list = fdopendir(directory);
  if (list == NULL) {
    note(&removal->worst, "list", "directory");
    close(directory);
    return;
  }
  for (bool progress = true, left = true; progress && left;) {
    progress = left = false;
    int worst = removal->worst;
    struct dirent *entry;
    rewinddir(list);
    while ((entry = readdir(list)) != NULL) {
      if (is_dots(entry->d_name)) continue;
      left = true;
      if (removed(removal, directory, entry->d_name, depth)) progress = true;
      else note(&removal->worst, "remove", entry->d_name);
    }
    // What failed is tried again while other things still go; only the last round counts.
    if (progress) removal->worst = worst;
  }
  closedir(list);
}

int tree_remove(const char *path) {
  struct removal removal = {.top = -1, .worst = EXIT_DONE};
  struct stat found;
  removal.top = open_closed(AT_FDCWD, path);
  if (removal.top < 0 || fstat(removal.top, &found) != 0) {
    if (errno == ENOENT) return EXIT_DONE;
    note(&removal.worst, "open", path);
    return removal.worst;
  }
  removal.device = found.st_dev;
  (void)fchmod(removal.top, 0700);
  int listed = openat(removal.top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (listed < 0) note(&removal.worst, "open", path);
  else empty(&removal, listed, 0);
  return removal.worst;
}
