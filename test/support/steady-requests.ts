/** A client that asks again and again while a test breaks something, and keeps what it was answered. */
import { readFile } from "node:fs/promises";
import { request } from "node:https";
import type { TestInstance } from "./instance.ts";

export interface SteadyRequests {
  /** How often each status was answered; `cut` where there was no whole answer. */
  stop(): Promise<Record<string, number>>;
}

/** `clients` requests at once, each on a connection of its own and followed by the next. */
export function steadyRequests(
  instance: TestInstance,
  options: { path: string; clients: number; url?: string },
): SteadyRequests {
  const counts: Record<string, number> = {};
  let stopped = false;
  const ca = readFile(instance.certificates.caFile);
  const ask = async () => {
    while (!stopped) {
      const key = await statusOf(`${options.url ?? instance.url}/api/v1${options.path}`, {
        ca: await ca,
        token: instance.adminToken,
      });
      counts[key] = (counts[key] ?? 0) + 1;
      // Often enough to meet what is broken; each costs both sides a handshake.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const asking = Array.from({ length: options.clients }, ask);
  return {
    async stop() {
      stopped = true;
      await Promise.all(asking);
      return counts;
    },
  };
}

function statusOf(url: string, access: { ca: Buffer; token: string }): Promise<string> {
  const headers = { Authorization: `Bearer ${access.token}` };
  return new Promise((resolve) => {
    const call = request(url, { ca: access.ca, headers, agent: false, timeout: 30_000 }, (response) => {
      response.resume();
      response.once("close", () => resolve(response.complete ? String(response.statusCode) : "cut"));
    });
    call.on("timeout", () => call.destroy()).on("error", () => resolve("cut"));
    call.end();
  });
}
