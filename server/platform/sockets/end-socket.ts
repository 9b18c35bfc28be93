/** The end of a connection with a reason, also of one whose other side does not want to hear it. */
import type { WebSocket } from "ws";

/** How long the other side has for its part of the closing. */
const closingMs = 2_000;
/** The same where it keeps sending what nobody reads. */
const cutOffMs = 1_000;
/** The protocol has room for 123 bytes. */
const reasonBytes = 120;

export function endSocket(socket: WebSocket, code: number, reason: string): void {
  end(socket, { code, reason, graceMs: closingMs });
}

/** For clients that break the rules: what else they send is not read, so that a flood stays in the network. */
export function cutOff(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState !== socket.OPEN) return;
  end(socket, { code, reason, graceMs: cutOffMs });
  const stopReading = () => socket.pause();
  for (const event of ["message", "ping", "pong"]) socket.once(event, stopReading);
}

function end(
  socket: WebSocket,
  { code, reason, graceMs }: { code: number; reason: string; graceMs: number },
): void {
  if (socket.readyState === socket.CLOSED) return;
  socket.close(code, fitting(reason));
  setTimeout(() => socket.terminate(), graceMs).unref();
}

function fitting(reason: string): string {
  const cut = Buffer.from(reason).subarray(0, reasonBytes).toString();
  return cut.replace(/\uFFFD+$/, "");
}
