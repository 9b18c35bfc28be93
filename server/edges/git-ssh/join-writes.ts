import type { Socket } from "node:net";

/**
 * The library writes each packet in three pieces, of four bytes, the content, and a checksum. They would go out one by one, and wake
 * the client three times; what is written in one turn goes out at once instead.
 */
export function joinWrites(socket: Socket): void {
  const write = socket.write.bind(socket) as Socket["write"];
  let isJoining = false;
  socket.write = ((...given: Parameters<Socket["write"]>) => {
    if (!isJoining) {
      isJoining = true;
      socket.cork();
      process.nextTick(() => {
        isJoining = false;
        socket.uncork();
      });
    }
    return write(...given);
  }) as Socket["write"];
}
