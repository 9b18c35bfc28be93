/* The pipes between steps and their logs. */
#ifndef FORGELINE_PIPES_H
#define FORGELINE_PIPES_H

/* Takes both ends of the pipe and the log over. */
void pipe_add(int position, const int ends[2], int log);
/*
 * The step ended: writes what it had printed until now. What its left-over programs print from here on is read, so that
 * they do not block, and thrown away. The error that kept the log from being whole, or 0.
 */
int pipe_finish(int position);

#endif
