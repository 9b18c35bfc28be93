/* Moves what steps print into their logs. A log belongs to this process alone: steps hold the other end of a pipe. */
#include "pipes.h"

#include "step.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { move_bytes = 64 * 1024 };

struct stream {
  int position;
  int from;
  /* The other end, so that a step which closes what it prints to is not taken for one that ended; -1 once it has. */
  int to;
  /* -1 once the step has ended. */
  int log;
  /* The first error of the log; what comes after it is thrown away. */
  int error;
  /* Read, and not yet written for want of room on the disk. */
  char *waiting;
  size_t waiting_bytes;
};

static struct stream streams[pipes_max];
static int stream_count = 0;
static char buffer[move_bytes];

static void forget(int index) {
  struct stream *stream = &streams[index];
  close(stream->from);
  if (stream->to >= 0) close(stream->to);
  if (stream->log >= 0) close(stream->log);
  free(stream->waiting);
  stream_count--;
  memmove(stream, stream + 1, (size_t)(stream_count - index) * sizeof *stream);
}

void pipe_add(int position, const int ends[2], int log) {
  if (stream_count == pipes_max) forget(0);
  streams[stream_count++] = (struct stream){.position = position, .from = ends[0], .to = ends[1], .log = log};
}

/* How much was written before the disk was full or the log could not be written at all. */
static size_t append(struct stream *stream, const char *bytes, size_t length) {
  size_t done = 0;
  while (done < length && stream->error == 0) {
    ssize_t written = write(stream->log, bytes + done, length - done);
    if (written > 0) done += (size_t)written;
    else if (written < 0 && (errno == ENOSPC || errno == EDQUOT)) return done;
    else if (written < 0 && errno != EINTR) stream->error = errno;
  }
  return length;
}

static void keep(struct stream *stream, const char *bytes, size_t length) {
  stream->waiting = malloc(length);
  if (stream->waiting == NULL) {
    stream->error = ENOMEM;
    return;
  }
  memcpy(stream->waiting, bytes, length);
  stream->waiting_bytes = length;
}

/* Whether nothing waits any more. */
static bool retry(struct stream *stream) {
  if (stream->waiting == NULL) return true;
  size_t done = append(stream, stream->waiting, stream->waiting_bytes);
  stream->waiting_bytes -= done;
  memmove(stream->waiting, stream->waiting + done, stream->waiting_bytes);
  if (stream->waiting_bytes > 0) return false;
  free(stream->waiting);
  stream->waiting = NULL;
  return true;
}

/* Bytes moved; 0 at the end of the pipe, -1 when there is nothing now. */
static ssize_t move(struct stream *stream, size_t most) {
  ssize_t length = read(stream->from, buffer, most < sizeof buffer ? most : sizeof buffer);
  if (length <= 0) return length < 0 && (errno == EAGAIN || errno == EINTR) ? -1 : 0;
  if (stream->log < 0) return length;
  size_t done = append(stream, buffer, (size_t)length);
  if (done < (size_t)length) keep(stream, buffer + done, (size_t)length - done);
  return length;
}

int pipes_to_poll(struct pollfd *polled, bool *stalled) {
  for (int index = 0; index < stream_count; index++) {
    bool waits = streams[index].waiting != NULL;
    if (waits) *stalled = true;
    polled[index] = (struct pollfd){.fd = waits ? -1 : streams[index].from, .events = POLLIN};
  }
  return stream_count;
}

void pipes_move(const struct pollfd *polled, int count) {
  // From the end, since one that is over is taken out.
  for (int index = count - 1; index >= 0; index--) {
    struct stream *stream = &streams[index];
    if (!retry(stream)) continue;
    if (polled[index].fd >= 0 && polled[index].revents != 0 && move(stream, sizeof buffer) == 0) forget(index);
  }
}

static int finish(struct stream *stream) {
  int left = 0;
  bool flows = retry(stream);
  if (flows && ioctl(stream->from, FIONREAD, &left) != 0) left = 0;
  while (flows && left > 0) {
    ssize_t moved = move(stream, (size_t)left);
    flows = moved > 0 && stream->waiting == NULL;
    if (flows) left -= (int)moved;
  }
  if (stream->waiting != NULL && stream->error == 0) stream->error = ENOSPC;
  free(stream->waiting);
  stream->waiting = NULL;
  close(stream->log);
  close(stream->to);
  stream->log = stream->to = -1;
  return stream->error;
}

int pipe_finish(int position) {
  for (int index = 0; index < stream_count; index++)
    if (streams[index].position == position && streams[index].log >= 0) return finish(&streams[index]);
  return 0;
}
