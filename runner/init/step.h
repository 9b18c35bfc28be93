/* Steps and the pipes that carry what they print. */
#ifndef FORGELINE_STEP_H
#define FORGELINE_STEP_H

#include <poll.h>
#include <stdbool.h>
#include <sys/types.h>

/* Programs that a step left behind keep its pipe; beyond so many the oldest is closed. */
enum { pipes_max = 64, positions_max = 1024 };

/* Appends a line that the runner will read; ends this process when it cannot. */
void journal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* `base_directory` is kept, and holds the scripts in `in`. */
void steps_set_up(int own_directory, const char *base_directory);
bool steps_have_shell(void);
/* Runs the scripts of the position, once however often it is asked for. */
void step_start(int position);
/* To the step's whole process group; nothing happens when it does not run. */
void step_signal(int position, int number);
/* A process ended, be it a step or one that a step left. */
void step_ended(pid_t pid, int code);

/* Fills `polled` with the pipes to wait for; `stalled` when one waits for room on the disk instead. */
int pipes_to_poll(struct pollfd *polled, bool *stalled);
/* Moves what has come into the logs. */
void pipes_move(const struct pollfd *polled, int count);

#endif
