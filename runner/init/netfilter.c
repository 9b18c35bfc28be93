/*
 * Carries messages from the runner to the kernel's packet filter, and says in words what the kernel answered. Frames come on
 * standard input, each with its length (32 bits, little endian) before it, until it ends. To each frame the kernel answers at
 * once; for it are printed `error SEQUENCE ERRNO TEXT` for what was refused, `ack SEQUENCE` for what was to be acknowledged, and
 * `end COUNT`, the number of objects that were listed.
 */
#include "init.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const uint32_t frame_max = 4 << 20;
static const size_t answer_max = 1 << 16;

static int open_socket(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER);
  if (fd < 0) return -1;
  struct sockaddr_nl self = {.nl_family = AF_NETLINK};
  int room = (int)frame_max;
  /* A transaction is sent as one message. */
  (void)setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof room);
  (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
  if (bind(fd, (struct sockaddr *)&self, sizeof self) == 0) return fd;
  close(fd);
  return -1;
}

static bool read_whole(void *place, size_t size) {
  char *next = place;
  while (size > 0) {
    ssize_t got = read(STDIN_FILENO, next, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    size -= (size_t)got;
  }
  return true;
}

static void print_error(unsigned sequence, int number) {
  printf("error %u %d %s\n", sequence, number, strerror(number));
}

static void tell(const struct nlmsghdr *message, unsigned long *listed) {
  if (message->nlmsg_type == NLMSG_DONE) return;
  if (message->nlmsg_type != NLMSG_ERROR) {
    ++*listed;
    return;
  }
  const struct nlmsgerr *verdict = NLMSG_DATA(message);
  if (verdict->error != 0)
    print_error(message->nlmsg_seq, -verdict->error);
  else
    printf("ack %u\n", message->nlmsg_seq);
}

/* The kernel has worked off a frame when it is sent: all answers wait already. */
static void print_answers(int fd, char *buffer) {
  unsigned long listed = 0;
  for (;;) {
    ssize_t got = recv(fd, buffer, answer_max, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno != EAGAIN) print_error(0, errno);
    if (got <= 0) break;
    int left = (int)got;
    const struct nlmsghdr *message = (const struct nlmsghdr *)buffer;
    for (; NLMSG_OK(message, (unsigned)left); message = NLMSG_NEXT(message, left)) tell(message, &listed);
  }
  printf("end %lu\n", listed);
  fflush(stdout);
}

static int exchange(int fd, char *frame, char *buffer) {
  uint32_t size = 0;
  while (read_whole(&size, sizeof size)) {
    if (size > frame_max || !read_whole(frame, size)) return EXIT_FAILED;
    if (send(fd, frame, size, 0) < 0) print_error(0, errno);
    print_answers(fd, buffer);
  }
  return EXIT_DONE;
}

int netfilter(const char *path) {
  if (path != NULL) {
    int input = open(path, O_RDONLY | O_CLOEXEC);
    if (input < 0 || dup2(input, STDIN_FILENO) < 0) return EXIT_FAILED;
  }
  int fd = open_socket();
  if (fd < 0) {
    print_error(0, errno);
    return EXIT_DENIED;
  }
  char *frame = malloc(frame_max);
  char *buffer = malloc(answer_max);
  if (frame == NULL || buffer == NULL) return EXIT_FAILED;
  return exchange(fd, frame, buffer);
}
