/*
 * forgeline-init: process 1 of the containers that run steps, and the runner's hands for files of other users and for the
 * kernel's packet filter.
 * Linked statically, so that nothing of an image takes part in what it does.
 */
#include "init.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse_id(const char *text, unsigned *id) {
  char *end = NULL;
  errno = 0;
  unsigned long value = strtoul(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || value >= UINT_MAX) return false;
  *id = (unsigned)value;
  return true;
}

int main(int count, char **words) {
  const char *command = count > 1 ? words[1] : "";
  unsigned uid = 0;
  unsigned gid = 0;
  if (count == 3 && strcmp(command, "supervise") == 0) return supervise(words[2]);
  if (count == 3 && strcmp(command, "remove") == 0) return tree_remove(words[2]);
  if (count >= 3 && strcmp(command, "usage") == 0) return tree_usage(words + 2);
  if (count == 5 && strcmp(command, "own") == 0 && parse_id(words[2], &uid) && parse_id(words[3], &gid))
    return tree_own(words[4], uid, gid);
  if ((count == 2 || count == 3) && strcmp(command, "netfilter") == 0) return netfilter(words[2]);
  if (count == 4 && strcmp(command, "probe") == 0 && parse_id(words[3], &uid)) return probe(words[2], uid);
  fprintf(stderr, "usage: forgeline-init supervise DIR | own UID GID DIR | remove DIR | usage DIR... | netfilter [FILE] | "
                  "probe ADDRESS PORT\n");
  return EXIT_USAGE;
}
