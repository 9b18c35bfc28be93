/* What the parts of forgeline-init share. Protocol and promises: docs/architecture/job-isolation.md. */
#ifndef FORGELINE_INIT_H
#define FORGELINE_INIT_H

#include <stdbool.h>
#include <sys/types.h>

/* Exit codes of the tree commands; the runner knows them by these numbers. */
enum {
  EXIT_DONE = 0,
  EXIT_FAILED = 1,
  EXIT_USAGE = 2,
  /* Something belongs to somebody else: root may have more luck. */
  EXIT_DENIED = 3,
  /* Deeper than is walked: nothing can be told. */
  EXIT_TOO_DEEP = 4,
};

/*
 * Process 1 of a container: runs steps until the container is killed. `base` is the directory of its own mounts, `in` and `out`.
 */
int supervise(const char *base);

/* All below `path`, links themselves and not their targets. */
int tree_own(const char *path, uid_t uid, gid_t gid);
/* Empties the directory `path`; what cannot be removed stays, the rest goes. */
int tree_remove(const char *path);
/* Prints the bytes and files that the directories take of their file systems together; the list ends with NULL. */
int tree_usage(char *const paths[]);

/* Sends what it reads from the file, or from standard input, to the kernel's packet filter; prints the answers. */
int netfilter(const char *path);

/* Prints the number of the error with which a datagram to that port is answered; 0 for none. */
int probe(const char *address, unsigned port);

struct tally {
  long oom_kills;
  long forks_refused;
};
/* The kernel's counters of this container: processes killed for memory, forks refused. */
struct tally read_tally(void);

/* Absolute path of a program on PATH, or an empty string. */
void find_program(const char *name, char *path, size_t size);

#endif
