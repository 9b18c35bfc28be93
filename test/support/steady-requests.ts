/** A client that asks one server again and again while a test breaks something, and keeps what it was answered. */
import { localRequest } from "@forgeline/launcher/https-client.ts";
import type { TestInstance } from "./instance.ts";

export interface SteadyRequests {
  /** How often each status was answered; `cut` where there was no answer. */
  stop(): Promise<Record<string, number>>;
}

/** `clients` requests at once, each followed by the next. */
export function steadyRequests(
  instance: TestInstance,
  options: { path: string; clients: number; url?: string },
): SteadyRequests {
  const counts: Record<string, number> = {};
  let stopped = false;
  const access = { caFile: instance.certificates.caFile, token: instance.adminToken };
  const ask = async () => {
    while (!stopped) {
      const answer = await localRequest(`${options.url ?? instance.url}/api/v1${options.path}`, access).catch(
        () => undefined,
      );
      const key = answer ? String(answer.status) : "cut";
      counts[key] = (counts[key] ?? 0) + 1;
      await new Promise((resolve) => setTimeout(resolve, 10));
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
