/** The last words on a connection that no HTTP answer of Node's owns: they are sent, and the connection is gone. */
import type { Duplex } from "node:stream";

/** How long the other side has to read them. */
const patienceMs = 2_000;

/** Half closed it would stay for as long as the other side likes: nothing else has a limit of time for it. */
export function writeAndClose(socket: Duplex, text: string): void {
  socket.on("error", () => undefined);
  const timer = setTimeout(() => socket.destroy(), patienceMs).unref();
  socket.once("close", () => clearTimeout(timer));
  if (socket.writable) socket.end(text, () => socket.destroy());
  else socket.destroy();
}
