/*
 * Looks from inside a network of jobs whether the runner's packet filter is there: it answers datagrams to the machine at one port
 * with an error that nothing else on a machine answers with. Prints the number of the error that came; 0 for an answer without one, or none.
 */
#include "init.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static const int tries_max = 30;
static const int wait_ms = 100;

/* 0 while nothing came. */
static int error_of(int fd) {
  char byte = 0;
  if (send(fd, &byte, 1, 0) < 0) return errno;
  struct pollfd said = {.fd = fd, .events = POLLIN};
  if (poll(&said, 1, wait_ms) <= 0) return 0;
  return recv(fd, &byte, 1, MSG_DONTWAIT) < 0 && errno != EAGAIN ? errno : 0;
}

int probe(const char *address, unsigned port) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || inet_pton(AF_INET, address, &to.sin_addr) != 1) return EXIT_FAILED;
  if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0) return EXIT_FAILED;
  int error = 0;
  for (int tries = 0; tries < tries_max && error == 0; ++tries) error = error_of(fd);
  close(fd);
  printf("%d\n", error);
  return EXIT_DONE;
}
