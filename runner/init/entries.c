#include "entries.h"

#include "init.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

bool is_dots(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

int open_directory(int parent, const char *name) {
  return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

void note(int *worst, const char *doing, const char *name) {
  // A directory that is not empty has its cause below, which was told already.
  if (*worst != EXIT_DONE && errno == ENOTEMPTY) return;
  int code = errno == EACCES || errno == EPERM ? EXIT_DENIED : EXIT_FAILED;
  if (*worst == EXIT_DONE) fprintf(stderr, "%s %.64s: %s\n", doing, name, strerror(errno));
  if (*worst == EXIT_DONE || code == EXIT_FAILED) *worst = code;
}
