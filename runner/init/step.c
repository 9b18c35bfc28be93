/* Starts steps, signals them, and tells how they ended. */
#include "step.h"

#include "init.h"
#include "pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What shells answer when there is a program that cannot be started. */
enum { code_not_started = 126, fork_tries = 20 };

struct step {
  pid_t pid;
  struct tally before;
};

static int own = -1;
static const char *base;
static char sh[PATH_MAX];
static char bash[PATH_MAX];
static bool asked_for[positions_max];
static struct step steps[positions_max];

void steps_set_up(int own_directory, const char *base_directory) {
  own = own_directory;
  base = base_directory;
  find_program("sh", sh, sizeof sh);
  find_program("bash", bash, sizeof bash);
}

bool steps_have_shell(void) { return sh[0] != '\0'; }

/* Only what a child may do after a fork; never comes back. */
static void become_step(int position, int output) {
  char launcher[PATH_MAX];
  char script[PATH_MAX];
  snprintf(launcher, sizeof launcher, "%s/in/step-%d.env", base, position);
  snprintf(script, sizeof script, "%s/in/step-%d.sh", base, position);
  char *const words[] = {sh, launcher, sh, bash, script, NULL};
  sigset_t none;
  sigemptyset(&none);
  setsid();
  int input = open("/dev/null", O_RDONLY);
  if (input >= 0 && dup2(input, 0) == 0 && dup2(output, 1) == 1 && dup2(output, 2) == 2) {
    if (input > 2) close(input);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execv(sh, words);
  }
  dprintf(2, "forgeline: %s could not be started: %s\n", sh, strerror(errno));
  _exit(code_not_started);
}

/* What an earlier step left may hold all processes that the container may have, for a moment. */
static pid_t fork_patiently(void) {
  const struct timespec pause = {0, 100 * 1000 * 1000};
  for (int tries = 1;; tries++) {
    pid_t pid = fork();
    if (pid >= 0 || errno != EAGAIN || tries == fork_tries) return pid;
    nanosleep(&pause, NULL);
  }
}

static void tell_end(int position, int code) {
  struct tally after = read_tally();
  const struct tally *before = &steps[position].before;
  int log_error = pipe_finish(position);
  journal("ended %d %d %ld %ld %d\n", position, code, after.oom_kills - before->oom_kills,
          after.forks_refused - before->forks_refused, log_error);
}

/* The step's log and the pipe to it; false with errno. */
static bool open_output(int position, int ends[2]) {
  char name[32];
  snprintf(name, sizeof name, "step-%d.out", position);
  int log = openat(own, name, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (log < 0) return false;
  if (pipe2(ends, O_CLOEXEC) != 0) {
    close(log);
    return false;
  }
  // Programs that change their user still open /dev/stdout.
  (void)fchmod(ends[1], 0666);
  (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
  pipe_add(position, ends, log);
  return true;
}

void step_start(int position) {
  if (position < 0 || position >= positions_max || asked_for[position]) return;
  int ends[2] = {-1, -1};
  asked_for[position] = true;
  journal("begun %d\n", position);
  steps[position].before = read_tally();
  bool open = open_output(position, ends);
  pid_t pid = open ? fork_patiently() : -1;
  if (pid == 0) become_step(position, ends[1]);
  if (pid > 0) {
    steps[position].pid = pid;
    return;
  }
  if (open) dprintf(ends[1], "forgeline: the step could not be started: %s\n", strerror(errno));
  tell_end(position, code_not_started);
}

void step_signal(int position, int number) {
  if (position < 0 || position >= positions_max || steps[position].pid == 0) return;
  // Before the child has made its group, it has the number of the child itself.
  if (kill(-steps[position].pid, number) != 0) kill(steps[position].pid, number);
}

void step_ended(pid_t pid, int code) {
  for (int position = 0; position < positions_max; position++) {
    if (steps[position].pid != pid) continue;
    steps[position].pid = 0;
    tell_end(position, code);
    return;
  }
}
