/** Ports on loopback. */
import { createServer } from "node:net";

/** Whether `port` can be listened on at `host` now. Rejects when no port can: an address that is not ours, say. */
export function portIsFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(new Error(`cannot listen on ${host}, port ${port} (${error.code ?? error.message})`));
    });
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

/**
 * A free port below the range that the kernel hands out by itself, so that no outgoing connection takes it while
 * its server is down. Temporal stores ports as 16-bit signed numbers and needs this too.
 */
export async function freeLowPort(): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const port = 15_000 + Math.floor(Math.random() * 17_000);
    if (handedOut.has(port)) continue;
    // Before the look, during which somebody else here may ask.
    handedOut.add(port);
    if (await portIsFree(port)) return port;
  }
  throw new Error("no free port between 15000 and 32000");
}

const handedOut = new Set<number>();
