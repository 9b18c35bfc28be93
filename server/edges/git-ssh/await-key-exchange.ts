import type { Socket } from "node:net";

const newline = 0x0a;
/** Longer than a client on the same machine needs; one that waits for us first loses no more than this. */
const maxWaitMs = 5;

/**
 * Holds our list of algorithms back until the client's has arrived, so that the one acknowledges the other. OpenSSH sends its list at
 * once after its identification. If ours leaves before, nothing that we send acknowledges the client's: the kernel waits 40 ms
 * for something to send it with (delayed acknowledgement), and until then holds back what OpenSSH sends next (Nagle's algorithm).
 */
export function awaitKeyExchange(socket: Socket): void {
  socket.once("data", (identification: Buffer) => {
    if (identification.at(-1) !== newline) return;
    socket.cork();
    const release = () => {
      clearTimeout(timer);
      socket.off("data", release);
      socket.uncork();
    };
    const timer = setTimeout(release, maxWaitMs);
    socket.once("data", release);
  });
}
