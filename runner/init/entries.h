/* What walks of trees share. */
#ifndef FORGELINE_ENTRIES_H
#define FORGELINE_ENTRIES_H

#include <stdbool.h>

/* Levels that are walked at once, each with a descriptor. */
enum { deepest = 128 };

bool is_dots(const char *name);
/* Follows no link; -1 with errno when it is no directory or closed to us. */
int open_directory(int parent, const char *name);
/* Keeps the worst of what errno says in `worst`, and tells the first of it. */
void note(int *worst, const char *doing, const char *name);

#endif
