/*
 * Process 1 of a container. The runner writes lines into a FIFO and reads a journal; both, and the directory of the logs,
 * were opened before any program of the job ran, and have no name in the container any more by then. This process cannot
 * be traced nor its descriptors be opened (PR_SET_DUMPABLE), and no signal from inside the container ends it.
 */
#include "init.h"

#include "step.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CONTROL "in/control"
#define OWN "out/own"
#define WORKSPACE "/workspace"

enum { line_bytes = 64, stalled_ms = 100, exit_no_setup = 70, exit_fenced = 71, fence_look_ms = 1000 };

static struct {
  int control;
  int own;
  int journal;
  int signals;
} held;

/* Without its journal this process can tell nobody anything: the container ends, which the runner does see. */
static void give_up(const char *what) {
  fprintf(stderr, "forgeline-init: %s: %s\n", what, strerror(errno));
  exit(exit_no_setup);
}

/* When everything here ends, on the clock that goes on while the machine sleeps; 0 for never. */
static long long fence_at_ms;

static long long now_ms(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_BOOTTIME, &now) != 0) give_up("clock");
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/*
 * How long to wait for something to happen, at most `wanted` (-1: for ever). Ends when the time of the fence is over: with process 1,
 * the kernel kills all others at once, and no step reports an exit of its own. Waiting does not go on during sleep, so it is never long.
 */
static int fenced_wait(int wanted) {
  if (fence_at_ms == 0) return wanted;
  long long left = fence_at_ms - now_ms();
  if (left <= 0) _exit(exit_fenced);
  int longest = left < fence_look_ms ? (int)left : fence_look_ms;
  return wanted >= 0 && wanted < longest ? wanted : longest;
}

static int opened(int directory, const char *name, int flags) {
  int descriptor = openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) give_up(name);
  return descriptor;
}

void journal(const char *format, ...) {
  char line[4200];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(line, sizeof line, format, values);
  va_end(values);
  if (length < 0 || (size_t)length >= sizeof line) give_up("a line of the journal is too long");
  if (write(held.journal, line, (size_t)length) != length) give_up("journal");
}

static void set_up(const char *base) {
  if (prctl(PR_SET_DUMPABLE, 0) != 0) give_up("prctl");
  int directory = opened(AT_FDCWD, base, O_RDONLY | O_DIRECTORY);
  held.control = opened(directory, CONTROL, O_RDWR | O_NONBLOCK);
  held.own = opened(directory, OWN, O_RDONLY | O_DIRECTORY);
  close(directory);
  held.journal = opened(held.own, "journal", O_WRONLY | O_APPEND);
  sigset_t all;
  sigfillset(&all);
  if (sigprocmask(SIG_SETMASK, &all, NULL) != 0) give_up("signals");
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  held.signals = signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC);
  if (held.signals < 0) give_up("signals");
  steps_set_up(held.own, base);
  journal("ready %u %u %s\n", (unsigned)getuid(), (unsigned)getgid(), steps_have_shell() ? "sh" : "-");
}

static int signal_named(const char *name) {
  if (strcmp(name, "TERM") == 0) return SIGTERM;
  return strcmp(name, "KILL") == 0 ? SIGKILL : 0;
}

static void obey(const char *line) {
  char name[16];
  int position = -1;
  int length = -1;
  if (sscanf(line, "run %d", &position) == 1) step_start(position);
  else if (sscanf(line, "signal %d %15s", &position, name) == 2 && signal_named(name) != 0)
    step_signal(position, signal_named(name));
  else if (strcmp(line, "kill all") == 0) kill(-1, SIGKILL);
  else if (strcmp(line, "fence off") == 0) fence_at_ms = 0;
  else if (sscanf(line, "fence %d", &length) == 1 && length >= 0) fence_at_ms = now_ms() + length;
  else if (strcmp(line, "own workspace") == 0) journal("owned %d\n", tree_own(WORKSPACE, getuid(), getgid()));
}

/* Lines are shorter than a pipe's atomic write, so they come whole; what has no end in time is thrown away. */
static void read_control(void) {
  static char text[line_bytes];
  static size_t length = 0;
  char byte;
  while (read(held.control, &byte, 1) == 1) {
    if (byte != '\n') {
      if (length < sizeof text - 1) text[length++] = byte;
      continue;
    }
    text[length] = '\0';
    length = 0;
    obey(text);
  }
}

static void reap(void) {
  struct signalfd_siginfo ignored;
  while (read(held.signals, &ignored, sizeof ignored) > 0) continue;
  int status = 0;
  for (pid_t pid = waitpid(-1, &status, WNOHANG); pid > 0; pid = waitpid(-1, &status, WNOHANG))
    step_ended(pid, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

int supervise(const char *base) {
  static struct pollfd polled[2 + pipes_max];
  set_up(base);
  for (;;) {
    polled[0] = (struct pollfd){.fd = held.control, .events = POLLIN};
    polled[1] = (struct pollfd){.fd = held.signals, .events = POLLIN};
    bool stalled = false;
    int pipes = pipes_to_poll(polled + 2, &stalled);
    int ready = poll(polled, (nfds_t)(2 + pipes), fenced_wait(stalled ? stalled_ms : -1));
    if (ready < 0 && errno != EINTR) give_up("poll");
    pipes_move(polled + 2, pipes);
    if (polled[1].revents != 0) reap();
    if (polled[0].revents != 0) read_control();
  }
}
